import { describe, expect, it } from '@jest/globals';
import { readConversationConfig } from './config.ts';

const env = { DATABASE_URL: 'postgres://u:p@h/db', NATS_URL: 'nats://a:4222,nats://b:4222', PARLEY_LISTEN: '127.0.0.1:0' };

describe('readConversationConfig', () => {
  it('reads what it needs', () => {
    expect(readConversationConfig({ ...env, PARLEY_INSTANCE: 'one', PARLEY_LOG_LEVEL: 'warn' })).toEqual({
      databaseUrl: env.DATABASE_URL,
      natsUrl: env.NATS_URL,
      listen: '127.0.0.1:0',
      logLevel: 'warn',
      migrate: 'start',
      instance: 'one',
      retention: { hasMonthlyPartitions: false, retentionMs: undefined },
    });
  });

  it('partitions by month and deletes old conversations when it is configured to', () => {
    const { retention } = readConversationConfig({ ...env, PARLEY_PARTITIONS: 'monthly', PARLEY_RETENTION_CONVERSATIONS: '180d' });
    expect(retention).toEqual({ hasMonthlyPartitions: true, retentionMs: 180 * 86_400_000 });
  });

  it('names the process after its machine by default', () => {
    expect(readConversationConfig(env).instance).not.toBe('');
  });

  it.each([
    ['DATABASE_URL', 'mysql://h'],
    ['NATS_URL', 'http://h'],
    ['PARLEY_LISTEN', 'nowhere'],
    ['PARLEY_LISTEN', ''],
    ['PARLEY_LOG_LEVEL', 'loud'],
    ['PARLEY_PARTITIONS', 'daily'],
    ['PARLEY_RETENTION_CONVERSATIONS', '180 days'],
    ['PARLEY_RETENTION_CONVERSATIONS', '23h'],
  ])('rejects an invalid %s', (name, value) => {
    expect(() => readConversationConfig({ ...env, [name]: value })).toThrow(name);
  });
});
