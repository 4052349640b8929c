import { describe, expect, it } from '@jest/globals';
import { readUsageConfig } from './config.ts';

const ENV = { DATABASE_URL: 'postgres://u:p@db:5432/parley', NATS_URL: 'nats://n1:4222', PARLEY_LISTEN: '127.0.0.1:0' };

describe('readUsageConfig', () => {
  it('reads what it needs and no more', () => {
    expect(readUsageConfig({ ...ENV, PARLEY_PORT: 'x' })).toEqual({
      databaseUrl: ENV.DATABASE_URL,
      natsUrl: ENV.NATS_URL,
      listen: '127.0.0.1:0',
      logLevel: 'info',
      migrate: 'start',
      hasMonthlyPartitions: false,
    });
  });

  it('takes the address of the conversation service', () => {
    const address = 'dns:///conversation:50051';
    expect(readUsageConfig({ ...ENV, PARLEY_CONVERSATION_ADDRESS: address })).toMatchObject({ conversationAddress: address });
  });

  it('partitions records by month when it is configured to', () => {
    expect(readUsageConfig({ ...ENV, PARLEY_PARTITIONS: 'monthly' })).toMatchObject({ hasMonthlyPartitions: true });
  });

  it('takes several brokers, an IPv6 address and a log level', () => {
    const env = { ...ENV, NATS_URL: 'nats://n1:4222,nats://n2:4222', PARLEY_LISTEN: '[::1]:7005', PARLEY_LOG_LEVEL: 'debug' };
    expect(readUsageConfig(env)).toMatchObject({ natsUrl: env.NATS_URL, listen: '[::1]:7005', logLevel: 'debug' });
  });

  it.each([
    [{ DATABASE_URL: 'mysql://db' }, /DATABASE_URL must be a URL with the scheme postgres/],
    [{ NATS_URL: 'nats://n1:4222,n2' }, /NATS_URL must be one or more URLs/],
    [{ NATS_URL: '' }, /NATS_URL is not set/],
    [{ PARLEY_LISTEN: 'here' }, /PARLEY_LISTEN must look like host:port/],
    [{ PARLEY_LOG_LEVEL: 'loud' }, /PARLEY_LOG_LEVEL must be one of/],
  ])('rejects %j and names the variable', (part, message) => {
    expect(() => readUsageConfig({ ...ENV, ...part })).toThrow(message);
  });
});
