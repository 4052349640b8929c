import { describe, expect, it } from '@jest/globals';
import { ERROR_CATALOGUE, type ErrorCondition } from '@parley/protos/error-catalogue';
import { GatewayError } from '@parley/protos/errors';
import { toErrorEnvelope, toErrorHeaders, MethodNotAllowedError, ThrottledError } from './errors.ts';

describe('toErrorEnvelope', () => {
  it.each(Object.keys(ERROR_CATALOGUE) as ErrorCondition[])('carries %s as the catalogue has it', (condition) => {
    const { code, type, retryable } = ERROR_CATALOGUE[condition];
    const { error } = toErrorEnvelope('r-1', new GatewayError(condition, 'why', { param: 'p' }));
    expect(error).toEqual({ code, message: 'why', type, param: 'p', request_id: 'r-1', retryable });
  });

  it('shows nothing of an unexpected error', () => {
    expect(toErrorEnvelope('r-1', new TypeError('secret detail')).error).toMatchObject({
      code: 'internal_error',
      message: 'internal error',
    });
  });
});

describe('toErrorHeaders', () => {
  it.each<[string, GatewayError, Record<string, string>]>([
    ['what is not retryable', new GatewayError('CONVERSATION_CONTINUITY_LOST', ''), { 'x-should-retry': 'false' }],
    ['what is retryable', new GatewayError('CONVERSATION_BUSY', ''), {}],
    ['a known wait', new GatewayError('PROVIDER_RATE_LIMITED', '', { retryAfterMs: 1_200 }), { 'retry-after': '2' }],
    ['a shutdown', new GatewayError('SHUTTING_DOWN', '', { retryAfterMs: 1 }), { 'retry-after': '1', connection: 'close' }],
    ['a wrong method', new MethodNotAllowedError('GET'), { 'x-should-retry': 'false', allow: 'GET' }],
    ['a throttle', new ThrottledError('60 per 1 minute', 29_100, 'string'), { 'retry-after': '30' }],
  ])('describe %s', (_name, error, headers) => {
    expect(toErrorHeaders(error)).toEqual(headers);
  });
});
