import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { createRecordingBus } from './recording-bus.ts';
import { type TurnClient, newBeginTurn, newCaller } from './turn-client.ts';

describe('a heartbeat', () => {
  let fixture: Fixture;
  let running: Running;
  let client: TurnClient;
  let runnerId: string;
  beforeAll(async () => {
    fixture = await createFixture();
    running = await fixture.start({ bus: createRecordingBus() });
    client = running.as(newCaller());
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    runnerId = uuidv7();
    await fixture.sql.query('DELETE FROM turn_runners');
  });

  const beat = (id = runnerId, runnerName = 'runner-1') => running.stub.heartbeat({ runnerId: id, runnerName }, { caller: SYSTEM_CALLER });
  const isOpen = async (turnId: string) => (await fixture.sql.query('SELECT FROM turn_ends WHERE turn_id = $1', [turnId])).rowCount === 0;

  it('closes turns of an earlier incarnation of the runner at once', async () => {
    const foreign = newBeginTurn({ runnerId: uuidv7() });
    await beat();
    await beat(foreign.runnerId, 'runner-2');
    const turn = newBeginTurn({ runnerId });
    await client.begin(turn);
    await client.begin(foreign);
    await fixture.ageRows('1 second');
    await beat(uuidv7());
    await expect(isOpen(turn.turnId)).resolves.toBe(false);
    await expect(isOpen(foreign.turnId)).resolves.toBe(true);
  });

  it('does not affect two live runners with the same name', async () => {
    const second = uuidv7();
    await beat();
    await fixture.ageRows('1 second');
    await beat(second);
    await fixture.ageRows('1 second');
    await beat();
    const [one, two] = [newBeginTurn({ runnerId }), newBeginTurn({ runnerId: second })];
    await client.begin(one);
    await client.begin(two);
    await beat(second);
    await beat();
    await expect(isOpen(one.turnId)).resolves.toBe(true);
    await expect(isOpen(two.turnId)).resolves.toBe(true);
  });

  it('requires a name and an id', async () => {
    await expect(beat(runnerId, '')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
    await expect(beat('x')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
  });
});
