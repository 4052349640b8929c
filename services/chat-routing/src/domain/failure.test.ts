import { describe, expect, it } from '@jest/globals';
import { type Condition } from '@parley/protos/errors';
import { effectOf, requireContinuity } from './failure.ts';
import { newMessages } from './new-messages.ts';
import { soundUsage } from './usage.ts';

describe('effectOf', () => {
  it.each<[Condition, string, string]>([
    ['PROVIDER_RATE_LIMITED', 'rate_limited', ''],
    ['PROVIDER_UNAVAILABLE', 'failure', ''],
    ['PROVIDER_BAD_ANSWER', 'failure', ''],
    ['PROVIDER_TIMEOUT', 'failure', ''],
    ['ACCOUNT_REAUTH_REQUIRED', 'expired', 'session_expired'],
    ['CONVERSATION_DELETED_UPSTREAM', 'ok', 'deleted_upstream'],
    ['CONVERSATION_ACCESS_LOST', 'ok', 'access_lost'],
    ['CONVERSATION_CONTINUITY_LOST', 'ok', 'continuity_lost'],
    ['CONVERSATION_PROJECT_UNAVAILABLE', 'ok', 'project_unavailable'],
    // These say nothing about the account: a probe that ends so proves nothing.
    ['IMAGE_GENERATION_UNAVAILABLE', 'unknown', ''],
    ['INVALID_REQUEST', 'unknown', ''],
    ['SERVICE_UNAVAILABLE', 'unknown', ''],
    ['SHUTTING_DOWN', 'unknown', ''],
    ['INTERNAL_ERROR', 'unknown', ''],
    ['TIMEOUT', 'unknown', ''],
  ])('%s → %s', (condition, health, continuity) => {
    expect(effectOf(condition)).toEqual(continuity ? { health, continuity } : { health });
  });
});

describe('requireContinuity', () => {
  it.each<[string, Condition]>([
    ['deleted_upstream', 'CONVERSATION_DELETED_UPSTREAM'],
    ['access_lost', 'CONVERSATION_ACCESS_LOST'],
    ['continuity_lost', 'CONVERSATION_CONTINUITY_LOST'],
    ['project_unavailable', 'CONVERSATION_PROJECT_UNAVAILABLE'],
  ])('refuses %s with %s', (status, condition) => {
    expect(() => requireContinuity(status)).toThrow(expect.objectContaining({ condition }));
  });

  it.each(['available', 'session_expired', 'upstream_unavailable', ''])('leaves %j to the account', (status) => {
    expect(() => requireContinuity(status)).not.toThrow();
  });
});

describe('newMessages', () => {
  const of = (roles: string) =>
    newMessages([...roles].map((role) => ({ role: role === 'a' ? 'assistant' : role, at: role })))
      .map(({ at }) => at)
      .join('');

  it.each([
    ['u', 'u'],
    ['su', 'su'],
    ['suau', 'u'],
    ['uauauu', 'uu'],
    ['ua', ''],
    ['', ''],
  ])('of %j are %j', (all, fresh) => expect(of(all)).toBe(fresh));
});

describe('soundUsage', () => {
  it('takes whole counts that fit the record', () => {
    expect(soundUsage({ tokensIn: 0, tokensOut: 2_147_483_647 })).toEqual({ tokensIn: 0, tokensOut: 2_147_483_647 });
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '7' as unknown as number, undefined as unknown as number])(
    'does not take %p',
    (count) => {
      expect(soundUsage({ tokensIn: 1, tokensOut: count })).toBeUndefined();
      expect(soundUsage({ tokensIn: count, tokensOut: 1 })).toBeUndefined();
    },
  );
});
