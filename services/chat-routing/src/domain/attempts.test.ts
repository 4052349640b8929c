import { describe, expect, it } from '@jest/globals';
import { type ErrorCondition, GatewayError } from '@parley/protos/errors';
import fc from 'fast-check';
import { pickMostUsefulError, toAttemptTimeoutMs } from './attempts.ts';

describe('toAttemptTimeoutMs', () => {
  const facts = { budgetMs: 60_000, elapsedMs: 0, attemptsLeft: 3, typicalAcceptMs: 0 };

  it('gives each attempt an equal share of what is left', () => {
    expect(toAttemptTimeoutMs(facts)).toBe(20_000);
    expect(toAttemptTimeoutMs({ ...facts, elapsedMs: 20_000, attemptsLeft: 2 })).toBe(20_000);
    expect(toAttemptTimeoutMs({ ...facts, elapsedMs: 1_000, attemptsLeft: 1 })).toBe(59_000);
  });

  it('does not take a slow connection for one that hangs', () =>
    expect(toAttemptTimeoutMs({ ...facts, typicalAcceptMs: 15_000 })).toBe(45_000));

  it('never gives more than is left, nor nothing', () => {
    const given = fc.record({
      budgetMs: fc.integer({ min: 1, max: 600_000 }),
      elapsedMs: fc.nat(900_000),
      attemptsLeft: fc.integer({ min: 1, max: 3 }),
      typicalAcceptMs: fc.nat(100_000),
    });
    fc.assert(
      fc.property(given, (one) => {
        const share = toAttemptTimeoutMs(one);
        expect(share).toBeGreaterThan(0);
        expect(share).toBeLessThanOrEqual(Math.max(1, one.budgetMs - one.elapsedMs));
      }),
    );
  });
});

describe('pickMostUsefulError', () => {
  const errors = (...conditions: ErrorCondition[]) =>
    conditions.map((condition) => new GatewayError(condition, condition)) as [GatewayError, ...GatewayError[]];

  it.each<[ErrorCondition[], ErrorCondition]>([
    [['ACCOUNT_REAUTH_REQUIRED', 'PROVIDER_UNAVAILABLE'], 'PROVIDER_UNAVAILABLE'],
    [['PROVIDER_UNAVAILABLE', 'PROVIDER_RATE_LIMITED', 'PROVIDER_TIMEOUT'], 'PROVIDER_RATE_LIMITED'],
    [['PROVIDER_MODEL_NOT_FOUND', 'ACCOUNT_REAUTH_REQUIRED'], 'PROVIDER_MODEL_NOT_FOUND'],
    [['PROVIDER_TIMEOUT', 'PROVIDER_REJECTED_REQUEST'], 'PROVIDER_REJECTED_REQUEST'],
  ])('of %j takes %s', (given, best) => expect(pickMostUsefulError(errors(...given), 0).condition).toBe(best));

  it('has the time until the first connection takes turns again, where a retry can help', () => {
    expect(pickMostUsefulError(errors('PROVIDER_RATE_LIMITED'), 300_000).retryAfterMs).toBe(300_000);
    expect(pickMostUsefulError(errors('PROVIDER_RATE_LIMITED'), 0).retryAfterMs).toBeUndefined();
    expect(pickMostUsefulError(errors('PROVIDER_MODEL_NOT_FOUND'), 300_000).retryAfterMs).toBeUndefined();
  });
});
