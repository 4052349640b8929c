import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { ConversationClient } from './conversation-client.ts';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { type RecordingBus, createRecordingBus } from './recording-bus.ts';
import { type TurnClient, newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

describe('abandoned turns', () => {
  let fixture: Fixture;
  let bus: RecordingBus;
  let idle: Running;
  let client: TurnClient;
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

  async function reaping(work: () => Promise<void>): Promise<void> {
    const replicas = await Promise.all([1, 2, 3].map(() => fixture.start({ bus, reaperIntervalMs: 20 })));
    await work();
    for (const replica of replicas) await replica.stop();
  }

  const ended = (conversationId: string) => waitFor(async () => !(await client.open(conversationId)).busy);
  const events = (turnId: string) =>
    bus.events.filter(({ event }) => event.payload?.$case === 'turnEnded' && event.payload.value.turnId === turnId);
  const isOpen = async (turnId: string) => (await fixture.sql.query('SELECT FROM turn_ends WHERE turn_id = $1', [turnId])).rowCount === 0;

  it('are closed with the partial answer after missed heartbeats, once by any number of replicas', async () => {
    await beat();
    const turn = newBeginTurn({ runnerId });
    await client.begin(turn);
    await client.savePartial(turn.turnId, 'Once upon');
    await fixture.ageRows('21 seconds');
    await reaping(async () => {
      await waitFor(async () => !(await isOpen(turn.turnId)));
      await waitFor(async () => (await fixture.sql.query('SELECT FROM turn_runners')).rowCount === 0);
    });
    const { messages } = await idle.as(client.caller).listHistory({ conversationId: turn.conversationId, beforeTurnId: '' });
    expect(messages.at(-1)).toMatchObject({ id: turn.assistantMessageId, role: 'assistant', text: 'Once upon', status: 'interrupted' });
    await waitFor(() => events(turn.turnId).length > 0);
    expect(events(turn.turnId)).toMatchObject([
      {
        subject: EVENT_SUBJECTS.turnInterrupted,
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

  it('report to a runner that comes back that they were closed', async () => {
    await beat();
    const turn = newBeginTurn({ runnerId });
    await client.begin(turn);
    await fixture.ageRows('21 seconds');
    await reaping(() => ended(turn.conversationId).then(() => undefined));
    await expect(client.end(newEndTurn(turn))).resolves.toBe(false);
    await waitFor(() => events(turn.turnId).length > 0);
    expect(events(turn.turnId)).toHaveLength(1);
  });

  it('are not closed while their runner lives', async () => {
    const [dead, alive] = [newBeginTurn({ runnerId: uuidv7() }), newBeginTurn({ runnerId })];
    await beat(dead.runnerId, 'runner-2');
    await client.begin(dead);
    await client.begin(alive);
    await fixture.ageRows('21 seconds');
    await beat();
    await reaping(() => waitFor(async () => !(await isOpen(dead.turnId))).then(() => undefined));
    await expect(isOpen(alive.turnId)).resolves.toBe(true);
  });

  it('are closed within a minute when their runner is unknown', async () => {
    const [old, young] = [newBeginTurn(), newBeginTurn()];
    await client.begin(old);
    await fixture.ageRows('26 seconds');
    await client.begin(young);
    await reaping(() => waitFor(async () => !(await isOpen(old.turnId))).then(() => undefined));
    await expect(isOpen(young.turnId)).resolves.toBe(true);
  });

  it('are closed after an hour with any runner', async () => {
    await beat();
    const turn = newBeginTurn({ runnerId });
    await client.begin(turn);
    await fixture.ageRows('61 minutes');
    await beat();
    await reaping(() => waitFor(async () => !(await isOpen(turn.turnId))).then(() => undefined));
  });

  it('do not block the next turn until the reaper runs', async () => {
    await beat();
    const [first, other] = [newBeginTurn({ runnerId }), newBeginTurn({ runnerId })];
    await client.begin(first);
    await client.begin(other);
    await fixture.ageRows('21 seconds');
    await expect(client.begin(nextBeginTurn(first))).resolves.toMatchObject({ outcome: 'begun' });
    await expect(client.open(other.conversationId)).resolves.toMatchObject({ busy: false, lastSequence: 1 });
    const said = ['user: Hello', 'assistant: ', 'user: Hello', 'assistant: '];
    await expect(new ConversationClient(idle, client.caller).said(first.conversationId)).resolves.toEqual(said);
  });

  it('are interrupted for a request that repeats them', async () => {
    await beat();
    const request = { idempotencyKey: 'again', requestDigest: Buffer.from('digest') };
    const turn = newBeginTurn({ runnerId, ...request });
    await client.begin(turn);
    await client.savePartial(turn.turnId, 'Once');
    await fixture.ageRows('21 seconds');
    await expect(client.begin(newBeginTurn(request))).resolves.toMatchObject({
      outcome: 'duplicate',
      earlier: { turnId: turn.turnId, status: 'interrupted', text: 'Once' },
    });
  });

  it('are searched no further back than the oldest open turn', async () => {
    await beat();
    const turn = newBeginTurn({ runnerId });
    await client.begin(turn);
    await fixture.ageRows('5 minutes');
    await beat();
    const progress = async () =>
      (await fixture.sql.query<{ open_since: Date }>('SELECT open_since FROM reaper_progress')).rows[0]?.open_since;
    const { rows } = await fixture.sql.query<{ started_at: Date }>('SELECT started_at FROM turns WHERE id = $1', [turn.turnId]);
    await reaping(() => waitFor(async () => Number(await progress()) === Number(rows[0]?.started_at)).then(() => undefined));
    await client.end(newEndTurn(turn));
    await reaping(() => waitFor(async () => Number(await progress()) > Number(rows[0]?.started_at)).then(() => undefined));
  });
});
