import { describe, expect, it } from '@jest/globals';
import { OpenCall, SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type ServerStream } from '@parley/kit/rpc/multiplexed-call';
import { NOOP_SPAN } from '@parley/kit/telemetry/span';
import { GatewayError } from '@parley/protos/errors';
import { type TurnEvent } from '@parley/protos/routing/v1/routing';
import fc from 'fast-check';
import { ConcurrencyLimiter } from '../connections/concurrency-limiter.ts';
import { type TurnSink } from '../providers/upstream-turn.ts';
import { TurnClock } from './turn-clock.ts';
import { type TurnContext } from './turn-context.ts';
import { type TurnDeps } from './turn-deps.ts';
import { Turn } from './turn.ts';

const BUSY = new GatewayError('PROVIDER_UNAVAILABLE', 'down');
const ARTIFACT = { kind: 'image', name: 'a.png', mimeType: 'image/png', reference: 'r' } as const;
const AWAY = new GatewayError('SERVICE_UNAVAILABLE', 'away');

/** A turn whose dependencies note how it uses them. */
function openTurn({ endFails = false, answersAtOnce = '', probing = false, aftermath = undefined as Promise<void> | undefined }) {
  const seen = { events: [] as string[], ends: [] as string[], givenUp: 0, settled: 0, stops: 0, reports: [] as string[], released: 0 };
  const upstream: { sink?: TurnSink } = {};
  const handle = {
    pause: () => undefined,
    resume: () => undefined,
    stop: () => (seen.stops++, upstream.sink?.finished({ finishReason: 'stop', upstreamState: '' })),
  };
  const connection = {
    ...{
      id: 'connection',
      limiter: new ConcurrencyLimiter(1, { length: 0, waitMs: 0 }),
      usedSinceTouch: false,
      secret: 's',
      upstream: {},
      beginAttempt: () => ({ at: 0 }),
      recordAccepted: () => undefined,
      recordFailed: () => undefined,
      abandonAttempt: () => undefined,
      admission: () => 'closed',
      isOutcomeCurrent: (secret: string) => secret === connection.secret,
      cooldownMs: () => 0,
      row: { label: 'main', provider: 'p', baseUrl: '', pass: [] },
    },
    provider: {
      chat: (_turn: unknown, sink: TurnSink) => {
        upstream.sink = sink;
        if (answersAtOnce === 'throw') throw new Error('bug');
        if (answersAtOnce === 'fail') sink.failed(BUSY);
        if (answersAtOnce === 'finish') {
          sink.accepted();
          sink.deltas(['at once']);
          sink.finished({ finishReason: 'stop', upstreamState: '' });
        }
        return handle;
      },
    },
  };
  const stream: ServerStream<TurnEvent> = {
    write: ({ event }) => (seen.events.push(event?.$case ?? ''), true),
    end: () => void seen.events.push('end'),
    fail: (error) => void seen.events.push(`fail ${(error as GatewayError).condition}`),
    onDrain: null,
    onCancel: null,
  };
  const deps = {
    connections: {
      health: {
        recordOutcome: (_connection: unknown, effect: string) => seen.reports.push(effect),
        releaseProbe: () => seen.released++,
        recordFeature: () => undefined,
      },
    },
    recorder: {
      end: async ({ status }: { status: string }) => {
        seen.ends.push(status);
        if (endFails) throw AWAY;
      },
      queueUncertainEnd: () => seen.givenUp++,
      savePartial: async () => undefined,
    },
    cleanups: { deleteWithRetries: async () => undefined },
    tokens: { count: async () => 1 },
    limits: { acceptanceMs: 1_000, silenceMs: 1_000, turnMs: 60_000, waitingMs: 60_000, busyMs: 1_000, recordMs: 1_000 },
    stallDetector: { whenDisconnectsRead: aftermath },
  } as unknown as TurnDeps;
  const call = new OpenCall(SYSTEM_CALLER, 60_000);
  const context = {
    ...{ clock: new TurnClock(undefined), span: NOOP_SPAN, onBehalf: { caller: SYSTEM_CALLER, span: NOOP_SPAN } },
    ...{ stream, call, request: { stream: true, messages: [] }, route: { connection, probing, model: 'm' } },
    start: { turnId: 't', conversationId: 'c', assistantMessageId: 'a', model: 'm', messages: [] },
  } as unknown as TurnContext;
  connection.limiter.tryAcquire();
  const turn = new Turn(deps, context, () => seen.settled++);
  return { seen, connection, turn, sink: () => upstream.sink, leave: () => stream.onCancel?.(AWAY), call };
}

const rest = () => new Promise((resolve) => setImmediate(resolve));

describe('Turn', () => {
  it.each(['throw', 'fail', 'finish'])('ends once when its adapter answers before it returns the handle (%s)', async (answersAtOnce) => {
    const { seen, connection, turn } = openTurn({ answersAtOnce });
    turn.start();
    expect([connection.limiter.inFlight, seen.events]).toEqual([0, []]);
    turn.markStartCommitted();
    await rest();
    expect(seen).toMatchObject({ settled: 1, ends: [answersAtOnce === 'finish' ? 'completed' : 'failed'] });
    expect(seen.events.at(-1)).toBe(
      answersAtOnce === 'finish' ? 'end' : `fail ${answersAtOnce === 'fail' ? 'PROVIDER_UNAVAILABLE' : 'INTERNAL_ERROR'}`,
    );
  });

  it('releases its slot and the right to probe when its start is lost', async () => {
    const { seen, connection, turn } = openTurn({ probing: true });
    turn.start();
    expect(connection.limiter.inFlight).toBe(1);
    turn.markStartFailed(AWAY);
    await rest();
    expect(connection.limiter.inFlight).toBe(0);
    expect(seen).toMatchObject({
      // It may have begun, and is then for the record to count.
      events: ['recorded', 'fail SERVICE_UNAVAILABLE'],
      givenUp: 1,
      stops: 1,
      settled: 1,
      released: 1,
      reports: ['unknown'],
      ends: [],
    });
  });

  it('asks no upstream when the client has left before', async () => {
    const { seen, turn, sink, leave } = openTurn({});
    leave();
    turn.markStartCommitted();
    turn.start();
    await rest();
    expect(sink()).toBeUndefined();
    expect(seen).toMatchObject({ ends: ['interrupted'], settled: 1, reports: ['unknown'] });
  });

  it('is complete when its client leaves after the end', async () => {
    const { seen, turn, sink, leave } = openTurn({});
    turn.start();
    sink()?.accepted();
    sink()?.finished({ finishReason: 'stop', upstreamState: '' });
    leave();
    turn.markStartCommitted();
    await rest();
    expect(seen).toMatchObject({ ends: ['completed'], reports: ['ok'] });
  });

  it.each([true, false])('ends after a standstill as its client has heard it (has left: %s)', async (hasLeft) => {
    let tell = (): void => undefined;
    const { seen, turn, sink, leave } = openTurn({ aftermath: new Promise((resolve) => (tell = resolve)) });
    turn.start();
    turn.markStartCommitted();
    sink()?.accepted();
    sink()?.finished({ finishReason: 'stop', upstreamState: '' });
    await rest();
    expect(seen.ends).toEqual([]);
    if (hasLeft) leave();
    tell();
    await rest();
    expect(seen).toMatchObject({ ends: [hasLeft ? 'interrupted' : 'completed'], settled: 1 });
  });

  it('does not report a connection as expired whose key was replaced', async () => {
    const { seen, connection, turn, sink } = openTurn({});
    turn.start();
    connection.secret = 'another';
    sink()?.failed(new GatewayError('ACCOUNT_REAUTH_REQUIRED', 'expired'));
    expect(seen.reports).toEqual([]);
  });

  const step = fc.constantFrom('committed', 'lost', 'accepted', 'deltas', 'artifact', 'finished', 'failed', 'leave', 'stop', 'wait');
  const setting = fc.record({
    endFails: fc.boolean(),
    probing: fc.boolean(),
    answersAtOnce: fc.constantFrom('', '', '', 'fail', 'finish', 'throw'),
  });

  it('ends, settles and releases its slot once, for any order of events', async () => {
    await fc.assert(
      fc.asyncProperty(setting, fc.array(step, { maxLength: 12 }), async (options, steps) => {
        const { seen, connection, turn, sink, leave } = openTurn(options);
        turn.start();
        let start = '';
        const isCommitted = () => start === 'committed';
        const act: Record<string, () => unknown> = {
          committed: () => start || ((start = 'committed'), turn.markStartCommitted()),
          lost: () => start || ((start = 'lost'), turn.markStartFailed(AWAY)),
          accepted: () => sink()?.accepted(),
          deltas: () => (sink()?.accepted(), sink()?.deltas(['x'])),
          artifact: () => (sink()?.accepted(), sink()?.artifact(ARTIFACT)),
          finished: () => (sink()?.accepted(), sink()?.finished({ finishReason: 'stop', upstreamState: '' })),
          failed: () => sink()?.failed(BUSY),
          leave,
          stop: () => turn.stop(new GatewayError('SHUTTING_DOWN', 'stop')),
          wait: rest,
        };
        for (const name of [...steps, 'committed', 'finished', 'wait', 'wait']) {
          await act[name]?.();
          expect([0, 1]).toContain(connection.limiter.inFlight);
          if (!isCommitted()) expect(seen.events.filter((event) => event !== 'recorded' && !event.startsWith('fail'))).toEqual([]);
        }
        expect(connection.limiter.inFlight).toBe(0);
        expect(seen.settled).toBe(1);
        expect(seen.ends.length + seen.givenUp).toBe(1);
        expect(seen.events.filter((event) => event === 'end' || event.startsWith('fail'))).toHaveLength(1);
        expect(seen.reports.length).toBeLessThanOrEqual(1);
        expect(seen.released).toBe(options.probing ? 1 : 0);
      }),
      { numRuns: 500 },
    );
  });
});
