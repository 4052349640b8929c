import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus } from '@parley/kit/bus/bus';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type FaultProxy, startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Event, EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS, EVENT_STREAM } from '@parley/protos/subjects';
import { type Fixture, type Running, SILENT, createFixture } from './fixture.ts';
import { type TurnClient, newBeginTurn, newCaller, newEndTurn } from './turn-client.ts';

describe('events of turns', () => {
  const broker = process.env.NATS_URL ?? '';
  const caller = newCaller();
  const heard: { subject: string; events: Event[] }[] = [];
  let fixture: Fixture;
  let proxy: FaultProxy;
  let bus: Bus;
  let running: Running;
  let client: TurnClient;
  beforeAll(async () => {
    const url = new URL(broker);
    proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    fixture = await createFixture();
    running = await fixture.start({ natsUrl: url.href });
    client = running.as(caller);
    bus = connectBus({ url: broker, name: 'test', log: SILENT });
    bus.consume({
      stream: EVENT_STREAM,
      durable: `test-${uuidv7()}`,
      filterSubject: 'parley.conversation.turn.*',
      handler: (bytes, { subject }) => {
        const events = EventBatch.decode(bytes).events.filter(
          ({ payload }) => payload?.$case === 'turnEnded' && payload.value.keyId === caller.keyId,
        );
        if (events.length > 0) heard.push({ subject, events });
      },
    });
  });
  afterAll(async () => {
    await bus.drain();
    await fixture.close();
    await proxy.close();
  });

  const about = (turnId: string) =>
    heard.flatMap(({ subject, events }) =>
      events.flatMap(({ payload }) =>
        payload?.$case === 'turnEnded' && payload.value.turnId === turnId ? [{ subject, turn: payload.value }] : [],
      ),
    );

  it('report every outcome on its subject, with the database’s time', async () => {
    const outcomes = {
      completed: EVENT_SUBJECTS.turnCompleted,
      failed: EVENT_SUBJECTS.turnFailed,
      interrupted: EVENT_SUBJECTS.turnInterrupted,
    };
    for (const [status, subject] of Object.entries(outcomes)) {
      const turn = newBeginTurn();
      const error = status === 'failed' ? { condition: 'PROVIDER_TIMEOUT', message: 'late' } : undefined;
      await client.turn(turn, { status, error, model: 'm-1', connectionId: 'account-9' });
      await waitFor(() => about(turn.turnId).length === 1);
      const expected = {
        ...{ turnId: turn.turnId, conversationId: turn.conversationId, messageId: turn.assistantMessageId },
        ...{ workspaceId: caller.workspaceId, keyId: caller.keyId, connectionId: 'account-9', model: 'm-1', status },
        ...{ errorCondition: error?.condition ?? '', tokensIn: 3, tokensOut: 5, durationMs: 120 },
      };
      expect(about(turn.turnId)).toMatchObject([{ subject, turn: expected }]);
      const { rows } = await fixture.sql.query<{ ended_at: Date }>('SELECT ended_at FROM turn_ends WHERE turn_id = $1', [turn.turnId]);
      expect(Math.abs(Number(about(turn.turnId)[0]?.turn.endedAt) - Number(rows[0]?.ended_at))).toBeLessThan(5_000);
    }
  });

  it('are published in batches when many turns end together', async () => {
    const before = heard.length;
    const turns = Array.from({ length: 100 }, () => newBeginTurn());
    await Promise.all(turns.map((turn) => client.begin(turn)));
    await Promise.all(turns.map((turn) => client.end(newEndTurn(turn))));
    await waitFor(() => turns.every(({ turnId }) => about(turnId).length === 1));
    expect(heard.length - before).toBeLessThan(turns.length);
  });

  it('wait while the broker is unavailable, and none is lost or duplicated afterwards', async () => {
    proxy.cut();
    await waitFor(async () => (await running.server.ready()).checks.bus?.detail !== 'connected');
    const turns = Array.from({ length: 20 }, () => newBeginTurn());
    await Promise.all(turns.map((turn) => client.turn(turn)));
    const report = await waitFor(async () => {
      const found = await running.server.ready();
      return /^[1-9]\d* batches of events wait$/.test(found.checks.outbox?.detail ?? '') ? found : undefined;
    });
    expect(report.ready).toBe(true);
    proxy.resume();
    await waitFor(() => turns.every(({ turnId }) => about(turnId).length > 0));
    const ids = heard.flatMap(({ events }) =>
      events
        .filter(({ payload }) => payload?.$case === 'turnEnded' && turns.some(({ turnId }) => turnId === payload.value.turnId))
        .map(({ id }) => id),
    );
    expect(new Set(ids).size).toBe(20);
    await waitFor(async () => (await fixture.sql.query('SELECT FROM outbox')).rowCount === 0);
  });
});
