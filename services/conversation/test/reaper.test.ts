import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { EVENTS } from '@parley/protos/subjects';
import { type Client, type Fixture, type Running, createFixture, newBeginning, newCaller, newEnd, nextBeginning } from './fixture.ts';
import { type RecordingBus, createRecordingBus } from './recording-bus.ts';

describe('abandoned turns', () => {
  let fixture: Fixture;
  let bus: RecordingBus;
  let idle: Running;
  let client: Client;
  let runnerId: string;
  beforeAll(async () => {
    fixture = await createFixture();
    bus = createRecordingBus();
    idle = await fixture.start({ bus });
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    client = idle.as(newCaller());
    runnerId = uuidv7();
    await fixture.sql.query('DELETE FROM turn_runners');
  });

  const beat = (id = runnerId, runnerName = 'runner-1') => idle.stub.heartbeat({ runnerId: id, runnerName }, { caller: SYSTEM_CALLER });

  /** Moves what has happened into the past: no clock but the database's counts. */
  async function letPass(time: string): Promise<void> {
    await fixture.sql.query(`UPDATE turns SET started_at = started_at - interval '${time}'`);
    await fixture.sql.query(
      `UPDATE turn_runners SET first_seen = first_seen - interval '${time}', last_seen = last_seen - interval '${time}'`,
    );
    await fixture.sql.query(`UPDATE reaper_progress SET open_since = open_since - interval '${time}'`);
  }

  async function reaping(work: () => Promise<void>): Promise<void> {
    const replicas = await Promise.all([1, 2, 3].map(() => fixture.start({ bus, reaperIntervalMs: 20 })));
    await work();
    for (const replica of replicas) await replica.stop();
  }

  const ended = (conversationId: string) => waitFor(async () => !(await client.open(conversationId)).busy);
  const events = (turnId: string) =>
    bus.events.filter(({ event }) => event.payload?.$case === 'turnEnded' && event.payload.value.turnId === turnId);
  const isOpen = async (turnId: string) => (await fixture.sql.query('SELECT FROM turn_ends WHERE turn_id = $1', [turnId])).rowCount === 0;

  it('are closed with what was kept when their runner falls silent, once by any number of replicas', async () => {
    await beat();
    const turn = newBeginning({ runnerId });
    await client.begin(turn);
    await client.savePartial(turn.turnId, 'Once upon');
    await letPass('21 seconds');
    await reaping(async () => {
      await waitFor(async () => !(await isOpen(turn.turnId)));
      await waitFor(async () => (await fixture.sql.query('SELECT FROM turn_runners')).rowCount === 0);
    });
    const { messages } = await idle.stub.listHistory({ conversationId: turn.conversationId, beforeTurnId: '' }, { caller: client.caller });
    expect(messages.at(-1)).toMatchObject({ id: turn.assistantMessageId, role: 'assistant', text: 'Once upon', status: 'interrupted' });
    await waitFor(() => events(turn.turnId).length > 0);
    expect(events(turn.turnId)).toMatchObject([
      {
        subject: EVENTS.turnInterrupted,
        event: {
          payload: {
            value: {
              status: 'interrupted',
              errorCondition: '',
              connectionId: 'account-1',
              messageId: turn.assistantMessageId,
              workspaceId: client.caller.workspaceId,
              keyId: client.caller.keyId,
            },
          },
        },
      },
    ]);
  });

  it('tell a runner that comes back that they were closed', async () => {
    await beat();
    const turn = newBeginning({ runnerId });
    await client.begin(turn);
    await letPass('21 seconds');
    await reaping(() => ended(turn.conversationId).then(() => undefined));
    await expect(client.end(newEnd(turn))).resolves.toBe(false);
    await waitFor(() => events(turn.turnId).length > 0);
    expect(events(turn.turnId)).toHaveLength(1);
  });

  it('are left alone while their runner lives', async () => {
    const [dead, alive] = [newBeginning({ runnerId: uuidv7() }), newBeginning({ runnerId })];
    await beat(dead.runnerId, 'runner-2');
    await client.begin(dead);
    await client.begin(alive);
    await letPass('21 seconds');
    await beat();
    await reaping(() => waitFor(async () => !(await isOpen(dead.turnId))).then(() => undefined));
    await expect(isOpen(alive.turnId)).resolves.toBe(true);
  });

  it('are closed after a minute when nobody knows their runner', async () => {
    const [old, young] = [newBeginning(), newBeginning()];
    await client.begin(old);
    await letPass('61 seconds');
    await client.begin(young);
    await reaping(() => waitFor(async () => !(await isOpen(old.turnId))).then(() => undefined));
    await expect(isOpen(young.turnId)).resolves.toBe(true);
  });

  it('are closed after an hour whoever runs them', async () => {
    await beat();
    const turn = newBeginning({ runnerId });
    await client.begin(turn);
    await letPass('61 minutes');
    await beat();
    await reaping(() => waitFor(async () => !(await isOpen(turn.turnId))).then(() => undefined));
  });

  it('do not hold up the next turn until the reaper comes', async () => {
    await beat();
    const [first, other] = [newBeginning({ runnerId }), newBeginning({ runnerId })];
    await client.begin(first);
    await client.begin(other);
    await letPass('21 seconds');
    await expect(client.begin(nextBeginning(first))).resolves.toMatchObject({ outcome: 'begun' });
    await expect(client.open(other.conversationId)).resolves.toMatchObject({ busy: false, lastSequence: 1 });
    await expect(client.history(first.conversationId)).resolves.toEqual(['user: Hello', 'assistant: ', 'user: Hello']);
  });

  it('are told as interrupted to a request that repeats them', async () => {
    await beat();
    const request = { idempotencyKey: 'again', requestDigest: Buffer.from('digest') };
    const turn = newBeginning({ runnerId, ...request });
    await client.begin(turn);
    await client.savePartial(turn.turnId, 'Once');
    await letPass('21 seconds');
    await expect(client.begin(newBeginning(request))).resolves.toMatchObject({
      outcome: 'duplicate',
      earlier: { turnId: turn.turnId, status: 'interrupted', text: 'Once' },
    });
  });

  it('are closed at once when their runner starts again', async () => {
    const foreign = newBeginning({ runnerId: uuidv7() });
    await beat();
    await beat(foreign.runnerId, 'runner-2');
    const turn = newBeginning({ runnerId });
    await client.begin(turn);
    await client.begin(foreign);
    await letPass('1 second');
    await beat(uuidv7());
    await expect(isOpen(turn.turnId)).resolves.toBe(false);
    await expect(isOpen(foreign.turnId)).resolves.toBe(true);
  });

  it('belong to one runner only once when two share a name by mistake', async () => {
    const second = uuidv7();
    await beat();
    await letPass('1 second');
    await beat(second);
    await letPass('1 second');
    await beat();
    const [one, two] = [newBeginning({ runnerId }), newBeginning({ runnerId: second })];
    await client.begin(one);
    await client.begin(two);
    await beat(second);
    await beat();
    await expect(isOpen(one.turnId)).resolves.toBe(true);
    await expect(isOpen(two.turnId)).resolves.toBe(true);
  });

  it('are looked for no further back than the oldest open turn', async () => {
    await beat();
    const turn = newBeginning({ runnerId });
    await client.begin(turn);
    await letPass('5 minutes');
    await beat();
    const progress = async () =>
      (await fixture.sql.query<{ open_since: Date }>('SELECT open_since FROM reaper_progress')).rows[0]?.open_since;
    const { rows } = await fixture.sql.query<{ started_at: Date }>('SELECT started_at FROM turns WHERE id = $1', [turn.turnId]);
    await reaping(() => waitFor(async () => Number(await progress()) === Number(rows[0]?.started_at)).then(() => undefined));
    await client.end(newEnd(turn));
    await reaping(() => waitFor(async () => Number(await progress()) > Number(rows[0]?.started_at)).then(() => undefined));
  });

  it('refuses a heartbeat without a name or an id', async () => {
    await expect(beat(runnerId, '')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
    await expect(beat('x')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
  });
});
