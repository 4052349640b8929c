import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { byteSize, integerBetween, durationMs, commaSeparatedList, listenAddress, logLevel, port, secret, url, urls } from './fields.ts';
import { ConfigError, readConfig } from './read-config.ts';

const schema = z.object({
  PARLEY_PORT: port.default(8080),
  LISTEN: listenAddress.optional(),
  DATABASE_URL: url('postgres', 'postgresql'),
  NATS_URL: urls('nats', 'tls').optional(),
  DRAIN: durationMs.default(55_000),
  LIMIT: byteSize.default(1_024),
  ORIGINS: commaSeparatedList.default([]),
  LEVEL: logLevel,
  LANES: integerBetween(1, 8).default(1),
  MASTER_KEY: secret(8).optional(),
});
const good = { DATABASE_URL: 'postgres://u:p@h/db' };

function message(env: Record<string, string>): string {
  try {
    readConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('readConfig', () => {
  it('gives defaults for what is absent or empty', () => {
    expect(readConfig(schema, { ...good, PARLEY_PORT: '', LEVEL: ' ' })).toMatchObject({
      PARLEY_PORT: 8080,
      DRAIN: 55_000,
      LEVEL: 'info',
    });
  });

  it('reads every kind of field', () => {
    const env = {
      ...good,
      PARLEY_PORT: '0',
      LISTEN: '[::1]:81',
      NATS_URL: 'nats://a:1,nats://b:2',
      DRAIN: '1.5s',
      LIMIT: '20MB',
      ORIGINS: 'a, b,,c',
      LEVEL: 'debug',
      LANES: '8',
    };
    expect(readConfig(schema, env)).toEqual({
      ...good,
      PARLEY_PORT: 0,
      LISTEN: '[::1]:81',
      NATS_URL: 'nats://a:1,nats://b:2',
      DRAIN: 1_500,
      LIMIT: 20 * 1_024 * 1_024,
      ORIGINS: ['a', 'b', 'c'],
      LEVEL: 'debug',
      LANES: 8,
    });
  });

  it('names a missing variable and what it should be, in one line', () => {
    expect(message({})).toBe('bad configuration: DATABASE_URL is not set (must be a URL with the scheme postgres or postgresql)');
  });

  it('names every bad variable once and never repeats a value', () => {
    const text = message({ DATABASE_URL: 'mysql://root:hunter2@h', PARLEY_PORT: '70000', MASTER_KEY: 'hunter2' });
    expect(text).toBe(
      'bad configuration: PARLEY_PORT must be a port number from 0 to 65535; DATABASE_URL must be a URL with the scheme postgres or postgresql; MASTER_KEY must have at least 8 characters',
    );
    expect(text).not.toContain('hunter2');
  });

  it.each([
    [{ NATS_URL: 'nats://a:1,b:2' }, 'NATS_URL'],
    [{ LISTEN: 'nowhere' }, 'LISTEN'],
    [{ LISTEN: 'h:99999' }, 'LISTEN'],
    [{ DRAIN: '-1' }, 'DRAIN'],
    [{ LIMIT: '1TB' }, 'LIMIT'],
    [{ LANES: '9' }, 'LANES'],
    [{ LEVEL: 'loud' }, 'LEVEL'],
  ])('refuses %j', (env, name) => {
    expect(message({ ...good, ...env })).toContain(`${name} must`);
  });
});
