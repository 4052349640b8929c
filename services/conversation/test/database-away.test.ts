import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { createLogger } from '@parley/kit/log/logger';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type FaultProxy, startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { createRecordingBus } from './recording-bus.ts';
import { type TurnClient, newBeginTurn, newCaller, newEndTurn } from './turn-client.ts';

const AWAY = { condition: 'SERVICE_UNAVAILABLE' };

describe('an unavailable database', () => {
  let fixture: Fixture;
  let proxy: FaultProxy;
  let running: Running;
  let client: TurnClient;
  beforeAll(async () => {
    fixture = await createFixture();
    const url = new URL(fixture.url);
    proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
    url.host = `127.0.0.1:${proxy.port}`;
    running = await fixture.start({ databaseUrl: url.href, bus: createRecordingBus() });
    client = running.as(newCaller());
  });
  afterAll(async () => {
    proxy.resume();
    await fixture.close();
    await proxy.close();
  });

  it('makes every call answer SERVICE_UNAVAILABLE until it is back', async () => {
    const turn = await client.turn(newBeginTurn());
    const open = newBeginTurn();
    await client.begin(open);
    proxy.cut();
    const calls = [
      client.open(turn.conversationId),
      client.begin(newBeginTurn()),
      client.end(newEndTurn(open)),
      client.savePartial(open.turnId, 'x'),
      client.history(turn.conversationId),
      running.stub.setContinuity({ conversationId: turn.conversationId, status: 'available' }, { caller: client.caller }),
      running.stub.clearContinuity({ upstreamAccountId: 'a' }, { caller: SYSTEM_CALLER }),
      running.stub.heartbeat({ runnerId: turn.runnerId, runnerName: 'r' }, { caller: SYSTEM_CALLER }),
    ];
    for (const result of await Promise.allSettled(calls)) expect(result).toMatchObject({ status: 'rejected', reason: AWAY });
    await waitFor(async () => !(await running.server.ready()).ready);
    proxy.resume();
    await waitFor(async () => (await running.server.ready()).ready);
    await expect(client.end(newEndTurn(open))).resolves.toBe(true);
  });

  it('takes no runner for dead that could not say that it lives', async () => {
    const { url } = fixture;
    const away = new URL(url);
    const own = await startFaultProxy({ host: away.hostname, port: Number(away.port) });
    away.host = `127.0.0.1:${own.port}`;
    const runnerTimeoutMs = 10_000;
    const lines: string[] = [];
    const log = createLogger({ service: 'test', level: 'warn', destination: { write: (line) => void lines.push(line) } });
    const reaping = await fixture.start({ databaseUrl: away.href, bus: createRecordingBus(), reaperIntervalMs: 50, runnerTimeoutMs, log });
    const beat = { runnerId: uuidv7(), runnerName: 'runner of an outage' };
    await reaping.stub.heartbeat(beat, { caller: SYSTEM_CALLER });
    const [kept, left] = [newBeginTurn({ runnerId: beat.runnerId }), newBeginTurn({ runnerId: beat.runnerId })];
    for (const turn of [kept, left]) await client.begin(turn);
    own.cut();
    await waitFor(() => lines.some((line) => line.includes('the reaper could not finish its round')));
    await fixture.ageRows('60 seconds');
    own.resume();
    await waitFor(async () => (await reaping.server.ready()).ready);
    await reaping.stub.heartbeat(beat, { caller: SYSTEM_CALLER });
    await expect(client.end(newEndTurn(kept))).resolves.toBe(true);
    // One that stays silent is taken for dead in the end.
    await waitFor(async () => !(await client.open(left.conversationId)).busy);
    await own.close();
  });

  it('may have committed without an answer: repeating the call has no second effect', async () => {
    const turn = newBeginTurn();
    proxy.pause();
    await expect(client.begin(turn)).rejects.toMatchObject(AWAY);
    proxy.resume();
    await waitFor(async () => (await client.begin(turn)).outcome === 'begun');
    proxy.pause();
    await expect(client.end(newEndTurn(turn))).rejects.toMatchObject(AWAY);
    proxy.resume();
    await waitFor(() => client.end(newEndTurn(turn)));
    await expect(client.history(turn.conversationId)).resolves.toEqual(['user: Hello', 'assistant: Hi there']);
    const { rows } = await fixture.sql.query('SELECT message_count FROM conversations WHERE id = $1', [turn.conversationId]);
    expect(rows).toEqual([{ message_count: 2 }]);
  });
});
