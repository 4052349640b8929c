import { describe, expect, it } from '@jest/globals';
import { type ErrorCondition, GatewayError } from '@parley/protos/errors';
import { getErrorEffect, toProbeResult, toHealthEffect, requireContinuableStatus } from './error-effects.ts';
import { messagesAfterLastAnswer } from './messages-after-last-answer.ts';
import { findValidUsage } from './usage.ts';

describe('getErrorEffect', () => {
  it.each<[ErrorCondition, string, string]>([
    ['PROVIDER_RATE_LIMITED', 'rate_limited', ''],
    ['PROVIDER_UNAVAILABLE', 'failure', ''],
    ['PROVIDER_BAD_ANSWER', 'failure', ''],
    ['PROVIDER_TIMEOUT', 'failure', ''],
    ['PROVIDER_NO_CREDIT', 'credit', ''],
    ['PROVIDER_MODEL_NOT_FOUND', 'model', ''],
    ['PROVIDER_FORBIDDEN', 'forbidden', ''],
    ['PROVIDER_REJECTED_REQUEST', 'rejected', ''],
    ['ACCOUNT_REAUTH_REQUIRED', 'expired', 'session_expired'],
    ['CONVERSATION_DELETED_UPSTREAM', 'ok', 'deleted_upstream'],
    ['CONVERSATION_ACCESS_LOST', 'ok', 'access_lost'],
    ['CONVERSATION_CONTINUITY_LOST', 'ok', 'continuity_lost'],
    ['CONVERSATION_PROJECT_UNAVAILABLE', 'ok', 'project_unavailable'],
    // These say nothing about the connection: a probe that ends so proves nothing.
    ['IMAGE_GENERATION_UNAVAILABLE', 'unknown', ''],
    ['INVALID_REQUEST', 'unknown', ''],
    ['SERVICE_UNAVAILABLE', 'unknown', ''],
    ['SHUTTING_DOWN', 'unknown', ''],
    ['INTERNAL_ERROR', 'unknown', ''],
    ['TIMEOUT', 'unknown', ''],
  ])('%s → %s', (condition, health, continuity) => {
    const { mayFailOver: _elsewhere, ...effect } = getErrorEffect(condition);
    expect(effect).toEqual(continuity ? { health, continuity } : { health });
  });
});

const failure = (condition: ErrorCondition, status?: number) =>
  new GatewayError(condition, 'failed', status === undefined ? {} : { upstream: { status } });

describe('toHealthEffect', () => {
  it.each<[ErrorCondition, number | undefined, string]>([
    ['ACCOUNT_REAUTH_REQUIRED', undefined, 'expired'],
    ['ACCOUNT_REAUTH_REQUIRED', 401, 'unauthorized'],
    ['ACCOUNT_REAUTH_REQUIRED', 400, 'unauthorized'],
    ['ACCOUNT_REAUTH_REQUIRED', 403, 'forbidden'],
    ['PROVIDER_FORBIDDEN', 403, 'forbidden'],
    ['PROVIDER_NO_CREDIT', 402, 'credit'],
    ['PROVIDER_MODEL_NOT_FOUND', 404, 'model'],
    ['PROVIDER_REJECTED_REQUEST', 400, 'rejected'],
    ['PROVIDER_UNAVAILABLE', 401, 'failure'],
  ])('%s with %p → %s', (condition, status, health) => {
    expect(toHealthEffect(failure(condition, status))).toBe(health);
  });
});

describe('toProbeResult', () => {
  it.each<[ErrorCondition, number | undefined, string | undefined]>([
    ['ACCOUNT_REAUTH_REQUIRED', undefined, 'refused'],
    ['ACCOUNT_REAUTH_REQUIRED', 401, 'refused'],
    ['PROVIDER_FORBIDDEN', 403, 'refused'],
    ['PROVIDER_NO_CREDIT', 402, 'credit'],
    ['PROVIDER_RATE_LIMITED', 429, 'rate_limited'],
    ['PROVIDER_TIMEOUT', undefined, 'failure'],
    ['INVALID_REQUEST', 404, 'unproven'],
    ['PROVIDER_MODEL_NOT_FOUND', 404, 'unproven'],
    // What goes wrong here says nothing of the upstream.
    ['INTERNAL_ERROR', undefined, undefined],
    ['SHUTTING_DOWN', undefined, undefined],
  ])('%s with %p → %s', (condition, status, finding) => {
    expect(toProbeResult(failure(condition, status))).toBe(finding);
  });
});

describe('requireContinuableStatus', () => {
  it.each<[string, ErrorCondition]>([
    ['deleted_upstream', 'CONVERSATION_DELETED_UPSTREAM'],
    ['access_lost', 'CONVERSATION_ACCESS_LOST'],
    ['continuity_lost', 'CONVERSATION_CONTINUITY_LOST'],
    ['project_unavailable', 'CONVERSATION_PROJECT_UNAVAILABLE'],
  ])('refuses %s with %s', (status, condition) => {
    expect(() => requireContinuableStatus(status)).toThrow(expect.objectContaining({ condition }));
  });

  it.each(['available', 'session_expired', 'upstream_unavailable', ''])('leaves %j to the account', (status) => {
    expect(() => requireContinuableStatus(status)).not.toThrow();
  });
});

describe('messagesAfterLastAnswer', () => {
  const of = (roles: string) =>
    messagesAfterLastAnswer([...roles].map((role) => ({ role: role === 'a' ? 'assistant' : role, at: role })))
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

describe('findValidUsage', () => {
  it('takes whole counts that fit the record', () => {
    expect(findValidUsage({ tokensIn: 0, tokensOut: 2_147_483_647 })).toEqual({ tokensIn: 0, tokensOut: 2_147_483_647 });
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '7' as unknown as number, undefined as unknown as number])(
    'does not take %p',
    (count) => {
      expect(findValidUsage({ tokensIn: 1, tokensOut: count })).toBeUndefined();
      expect(findValidUsage({ tokensIn: count, tokensOut: 1 })).toBeUndefined();
    },
  );
});
