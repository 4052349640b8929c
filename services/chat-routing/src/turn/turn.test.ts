import { describe, expect, it } from '@jest/globals';
import { OpenCall, SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type ServerStream } from '@parley/kit/rpc/multiplexed-call';
import { GatewayError } from '@parley/protos/errors';
import { type TurnEvent } from '@parley/protos/routing/v1/routing';
import fc from 'fast-check';
import { TurnGate } from '../accounts/turn-gate.ts';
import { type TurnSink } from '../providers/upstream-turn.ts';
import { type TurnDeps } from './deps.ts';
import { type TurnParts } from './parts.ts';
import { Turn } from './turn.ts';

const BUSY = new GatewayError('PROVIDER_UNAVAILABLE', 'down');
const ARTIFACT = { kind: 'image', name: 'a.png', mimeType: 'image/png', reference: 'r' } as const;
const AWAY = new GatewayError('SERVICE_UNAVAILABLE', 'away');

/** A turn whose surroundings note what happens to them. */
function bench({ relaxed = false, endFails = false, speaksAtOnce = '', probing = false }) {
  const seen = { events: [] as string[], ends: [] as string[], givenUp: 0, settled: 0, stops: 0, reports: [] as string[], released: 0 };
  const upstream: { sink?: TurnSink } = {};
  const hold = {
    pause: () => undefined,
    resume: () => undefined,
    stop: () => (seen.stops++, upstream.sink?.finished({ finishReason: 'stop', upstreamState: '' })),
  };
  const account = {
    ...{
      id: 'account',
      gate: new TurnGate(1, { length: 0, waitMs: 0 }),
      usedSinceTouch: false,
      secret: 's',
      upstream: {},
      beginAttempt: () => ({ at: 0 }),
      accept: () => undefined,
      fail: () => undefined,
      abandon: () => undefined,
      admission: () => 'closed',
      isCurrent: (secret: string) => secret === account.secret,
      cooldownMs: () => 0,
      row: { pass: [] },
    },
    provider: {
      chat: (_turn: unknown, sink: TurnSink) => {
        upstream.sink = sink;
        if (speaksAtOnce === 'throw') throw new Error('bug');
        if (speaksAtOnce === 'fail') sink.failed(BUSY);
        if (speaksAtOnce === 'finish') {
          sink.accepted();
          sink.deltas(['at once']);
          sink.finished({ finishReason: 'stop', upstreamState: '' });
        }
        return hold;
      },
    },
  };
  const outlet: ServerStream<TurnEvent> = {
    write: ({ event }) => (seen.events.push(event?.$case ?? ''), true),
    end: () => void seen.events.push('end'),
    fail: (error) => void seen.events.push(`fail ${(error as GatewayError).condition}`),
    onDrain: null,
    onCancel: null,
  };
  const deps = {
    accounts: {
      health: {
        report: (_account: unknown, effect: string) => seen.reports.push(effect),
        releaseProbe: () => seen.released++,
        feature: () => undefined,
      },
    },
    recorder: {
      end: async ({ status }: { status: string }) => {
        seen.ends.push(status);
        if (endFails) throw AWAY;
      },
      giveUp: () => seen.givenUp++,
      savePartial: async () => undefined,
    },
    cleanups: { remove: async () => undefined },
    tokens: { count: async () => 1 },
    limits: { acceptanceMs: 1_000, silenceMs: 1_000, turnMs: 60_000, waitingMs: 60_000, busyMs: 1_000 },
  } as unknown as TurnDeps;
  const call = new OpenCall(SYSTEM_CALLER, 60_000);
  const parts = {
    ...{ outlet, call, request: { stream: true, messages: [] }, route: { account, probing, model: 'm' } },
    beginning: { turnId: 't', conversationId: 'c', assistantMessageId: 'a', model: 'm', messages: [], relaxed },
  } as unknown as TurnParts;
  account.gate.tryEnter();
  const turn = new Turn(deps, parts, () => seen.settled++);
  return { seen, account, turn, sink: () => upstream.sink, leave: () => outlet.onCancel?.(AWAY), call };
}

const rest = () => new Promise((resolve) => setImmediate(resolve));

describe('Turn', () => {
  it.each(['throw', 'fail', 'finish'])('ends once when its adapter speaks before it is held (%s)', async (speaksAtOnce) => {
    const { seen, account, turn } = bench({ speaksAtOnce });
    turn.start('');
    expect([account.gate.inFlight, seen.events]).toEqual([0, []]);
    turn.committed();
    await rest();
    expect(seen).toMatchObject({ settled: 1, ends: [speaksAtOnce === 'finish' ? 'completed' : 'failed'] });
    expect(seen.events.at(-1)).toBe(
      speaksAtOnce === 'finish' ? 'end' : `fail ${speaksAtOnce === 'fail' ? 'PROVIDER_UNAVAILABLE' : 'INTERNAL_ERROR'}`,
    );
  });

  it('gives its load and the right to probe back when its beginning fails', async () => {
    const { seen, account, turn } = bench({ probing: true });
    turn.start('');
    expect(account.gate.inFlight).toBe(1);
    turn.abandon(AWAY);
    await rest();
    expect(account.gate.inFlight).toBe(0);
    expect(seen).toMatchObject({
      // It may have begun for all anybody knows, and is then the record's to count.
      events: ['recorded', 'fail SERVICE_UNAVAILABLE'],
      givenUp: 1,
      stops: 1,
      settled: 1,
      released: 1,
      reports: ['unknown'],
      ends: [],
    });
  });

  it('asks no upstream for a client that left before', async () => {
    const { seen, turn, sink, leave } = bench({});
    leave();
    turn.committed();
    turn.start('');
    await rest();
    expect(sink()).toBeUndefined();
    expect(seen).toMatchObject({ ends: ['interrupted'], settled: 1, reports: ['unknown'] });
  });

  it('is complete when its client leaves behind the end', async () => {
    const { seen, turn, sink, leave } = bench({});
    turn.start('');
    sink()?.accepted();
    sink()?.finished({ finishReason: 'stop', upstreamState: '' });
    leave();
    turn.committed();
    await rest();
    expect(seen).toMatchObject({ ends: ['completed'], reports: ['ok'] });
  });

  it('does not report an account that replaced its key as expired', async () => {
    const { seen, account, turn, sink } = bench({});
    turn.start('');
    account.secret = 'another';
    sink()?.failed(new GatewayError('ACCOUNT_REAUTH_REQUIRED', 'expired'));
    expect(seen.reports).toEqual([]);
  });

  const step = fc.constantFrom('begun', 'abandon', 'accepted', 'deltas', 'artifact', 'finished', 'failed', 'leave', 'stop', 'wait');
  const setting = fc.record({
    relaxed: fc.boolean(),
    endFails: fc.boolean(),
    probing: fc.boolean(),
    speaksAtOnce: fc.constantFrom('', '', '', 'fail', 'finish', 'throw'),
  });

  it('accounts for itself once, whatever happens in whichever order', async () => {
    await fc.assert(
      fc.asyncProperty(setting, fc.array(step, { maxLength: 12 }), async (options, steps) => {
        const { seen, account, turn, sink, leave } = bench(options);
        turn.start('');
        let begun = '';
        // An end on record tells as much as a commit does.
        const isCommitted = () => begun === 'begun' || (options.relaxed && seen.ends.length > 0 && !options.endFails);
        const act: Record<string, () => unknown> = {
          begun: () => begun || ((begun = 'begun'), turn.committed()),
          abandon: () => begun || ((begun = 'abandon'), turn.abandon(AWAY)),
          accepted: () => sink()?.accepted(),
          deltas: () => (sink()?.accepted(), sink()?.deltas(['x'])),
          artifact: () => (sink()?.accepted(), sink()?.artifact(ARTIFACT)),
          finished: () => (sink()?.accepted(), sink()?.finished({ finishReason: 'stop', upstreamState: '' })),
          failed: () => sink()?.failed(BUSY),
          leave,
          stop: () => turn.stop(new GatewayError('SHUTTING_DOWN', 'stop')),
          wait: rest,
        };
        for (const name of [...steps, 'begun', 'finished', 'wait', 'wait']) {
          await act[name]?.();
          expect([0, 1]).toContain(account.gate.inFlight);
          if (!isCommitted()) expect(seen.events.filter((event) => event !== 'recorded' && !event.startsWith('fail'))).toEqual([]);
        }
        expect(account.gate.inFlight).toBe(0);
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
