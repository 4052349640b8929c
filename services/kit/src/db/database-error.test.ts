import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { mapDatabaseError, isDatabaseUnavailable } from './database-error.ts';

const coded = (code: string, message = 'failed') => Object.assign(new Error(message), { code });

describe('mapDatabaseError', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P03', '53300', '53100', '08006', '57014', 'P2024'])(
    'makes %s SERVICE_UNAVAILABLE with its cause',
    (code) => {
      const cause = coded(code);
      const error = mapDatabaseError(cause);
      expect(error).toBeInstanceOf(GatewayError);
      expect(error).toMatchObject({ condition: 'SERVICE_UNAVAILABLE', cause });
    },
  );

  it.each(['timeout exceeded when trying to connect', 'Connection terminated unexpectedly', 'Query read timeout'])(
    'knows the driver’s “%s”',
    (message) => {
      expect(isDatabaseUnavailable(new Error(message))).toBe(true);
    },
  );

  it('finds the reason among the causes', () => {
    expect(isDatabaseUnavailable(new Error('query failed', { cause: coded('ECONNREFUSED') }))).toBe(true);
  });

  it.each([
    coded('23505'),
    coded('22P02'),
    coded('40001'),
    coded('28P01'),
    new GatewayError('VALIDATION_ERROR', 'no'),
    new Error('boom'),
    'text',
    null,
  ])('leaves %s as it is', (error) => {
    expect(mapDatabaseError(error)).toBe(error);
  });
});
