import { type Event } from '@parley/protos/events/v1/events';
import fc from 'fast-check';
import { refusals, turn, type CallerIds } from './fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** One entry of a client's own log. */
export interface Entry {
  callerIds: CallerIds;
  at: number;
  model: string;
  kind: 'ok' | 'error' | 'limited' | 'refused';
  tokensIn: number;
  tokensOut: number;
}

/** Arbitrary entries of `callers` before `at`. */
export const entry = (callers: readonly CallerIds[], at: number): fc.Arbitrary<Entry> =>
  fc.record({
    callerIds: fc.constantFrom(...callers),
    // Anywhere in the retention time, and dense around the boundaries of buckets and periods.
    at: fc.oneof(
      fc.nat(40 * DAY).map((ago) => at - ago),
      fc
        .tuple(fc.constantFrom(0, 1, 23, 24, 25, 7 * 24, 30 * 24), fc.integer({ min: -5, max: 5 }))
        .map(([hours, ms]) => Math.min(at, at - hours * HOUR + ms)),
      fc.tuple(fc.nat(31), fc.integer({ min: -2, max: 2 })).map(([days, ms]) => Math.min(at, at - (at % DAY) - days * DAY + ms)),
    ),
    model: fc.constantFrom('a', 'b', 'модель', "'; DROP TABLE usage_record; --"),
    kind: fc.constantFrom('ok', 'error', 'limited', 'refused'),
    tokensIn: fc.nat(1_000_000),
    tokensOut: fc.nat(1_000_000),
  });

/** Converts an entry to its event. */
export function eventOf({ callerIds, at, kind, ...taken }: Entry): Event {
  if (kind === 'refused') return refusals(callerIds, { at: new Date(at), errors: 1, rateLimited: 2 });
  const failure = { error: 'PROVIDER_TIMEOUT', limited: 'PROVIDER_RATE_LIMITED', ok: '' }[kind];
  return turn(callerIds, {
    ...taken,
    endedAt: new Date(at),
    status: kind === 'ok' ? 'completed' : 'failed',
    errorCondition: failure,
    durationMs: 10,
  });
}

const sum = (entries: readonly Entry[], of: (entry: Entry) => number) => entries.reduce((total, entry) => total + of(entry), 0);
const requests = ({ kind }: Entry) => (kind === 'refused' ? 3 : 1);
const tokens = (side: 'tokensIn' | 'tokensOut') => (entry: Entry) => (entry.kind === 'refused' ? 0 : entry[side]);

/** The expected report, computed from the log. */
export function expected(log: readonly Entry[], callerIds: CallerIds, period: string, at: number) {
  const midnight = at - (at % DAY);
  const since = { '24h': at - DAY - ((at - DAY) % HOUR), '7d': midnight - 6 * DAY, '30d': midnight - 29 * DAY }[period] ?? 0;
  const mine = log.filter(
    (entry) =>
      entry.at >= since &&
      (callerIds.keyId ? entry.callerIds === callerIds : !callerIds.workspaceId || entry.callerIds.workspaceId === callerIds.workspaceId),
  );
  const kinds = (kind: Entry['kind']) => mine.filter((entry) => entry.kind === kind).length;
  const models = [...new Set(mine.filter(({ kind }) => kind !== 'refused').map(({ model }) => model))];
  const days: string[] = [];
  for (let day = since - (since % DAY); day <= at; day += DAY) days.push(new Date(day).toISOString().slice(0, 10));
  return {
    period,
    scope: callerIds.keyId ? 'api_key' : 'all',
    totalRequests: sum(mine, requests),
    successful: kinds('ok'),
    errors: kinds('error') + kinds('refused'),
    rateLimited: kinds('limited') + 2 * kinds('refused'),
    totalTokensIn: sum(mine, tokens('tokensIn')),
    totalTokensOut: sum(mine, tokens('tokensOut')),
    totalDurationMs: 10 * (mine.length - kinds('refused')),
    byModel: models.map((model) => {
      const its = mine.filter((entry) => entry.kind !== 'refused' && entry.model === model);
      return { model, requests: its.length, tokensIn: sum(its, tokens('tokensIn')), tokensOut: sum(its, tokens('tokensOut')) };
    }),
    byDay: days.map((date) => {
      const its = mine.filter((entry) => new Date(entry.at).toISOString().startsWith(date));
      return { date, requests: sum(its, requests), tokens: sum(its, tokens('tokensIn')) + sum(its, tokens('tokensOut')) };
    }),
  };
}
