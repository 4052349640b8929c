import { describe, expect, it } from '@jest/globals';
import { type ErrorCondition, GatewayError } from '@parley/protos/errors';
import { hasTooManyAbandonedAttempts, planRetry } from './retry-plan.ts';

const MINUTE = 60_000;
const failed = (condition: ErrorCondition, attempts = 0, remainingMs = 10 * MINUTE, retryAfterMs?: number) =>
  planRetry(
    { error: new GatewayError(condition, 'x', retryAfterMs === undefined ? {} : { retryAfterMs }), attempts, remainingMs },
    () => 1,
  );

describe('planRetry', () => {
  it('tries three times what may pass, each time later', () => {
    expect(failed('PROVIDER_UNAVAILABLE', 0)).toEqual({ delayMs: 1_000, attempts: 1 });
    expect(failed('PROVIDER_UNAVAILABLE', 1)).toEqual({ delayMs: 4_000, attempts: 2 });
    expect(failed('PROVIDER_UNAVAILABLE', 2)).toBeUndefined();
  });

  it('also retries unexpected errors', () => {
    expect(failed('INTERNAL_ERROR')).toMatchObject({ attempts: 1 });
  });

  it.each(['ACCOUNT_REAUTH_REQUIRED', 'UNSUPPORTED_FILE_TYPE', 'FILE_TOO_LARGE', 'ASSET_NOT_FOUND'] as const)(
    'gives up at %s',
    (condition) => {
      expect(failed(condition)).toBeUndefined();
    },
  );

  it.each(['ASSET_NOT_READY', 'SERVICE_UNAVAILABLE'] as const)('waits for %s however often, until the time is over', (condition) => {
    expect(failed(condition, 2)).toEqual({ delayMs: 2_000, attempts: 2 });
    expect(failed(condition, 0, 1_500)).toBeUndefined();
  });

  it('waits for the given time, or gives up when that is too long', () => {
    expect(failed('PROVIDER_RATE_LIMITED', 0, 10 * MINUTE, 30_000)).toMatchObject({ delayMs: 30_000 });
    expect(failed('PROVIDER_RATE_LIMITED', 0, 20_000, 30_000)).toBeUndefined();
  });

  it('varies its waits', () => {
    const at = (random: number) =>
      planRetry({ error: new GatewayError('PROVIDER_TIMEOUT', 'x'), attempts: 0, remainingMs: MINUTE }, () => random)?.delayMs;
    expect([at(0), at(0.5), at(1)]).toEqual([500, 750, 1_000]);
  });
});

describe('hasTooManyAbandonedAttempts', () => {
  it('forgives five crashes, and no sixth', () => {
    expect([0, 1, 5, 6].map((silences) => hasTooManyAbandonedAttempts({ silences }))).toEqual([false, false, false, true]);
  });
});
