import { describe, expect, it } from '@jest/globals';
import { readEdgeConfig, readEdgeSettings } from './config.ts';

const ENV = {
  DATABASE_URL: 'postgres://u@h/db',
  NATS_URL: 'nats://h:4222',
  PARLEY_SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
};

describe('the edge’s configuration', () => {
  it('needs little and is generous', () => {
    expect(readEdgeSettings(ENV)).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      corsOrigins: ['*'],
      trustedProxies: [],
      throttleErrorFormat: 'string',
      throttle: { rate_limit: { points: 6_000, seconds: 60, text: '6000 per 1 minute' } },
    });
  });

  it.each([
    ['60 per 1 minute', { points: 60, seconds: 60, text: '60 per 1 minute' }],
    ['10 per second', { points: 10, seconds: 1, text: '10 per 1 second' }],
    [' 100  PER 2 Hours ', { points: 100, seconds: 7_200, text: '100 per 2 hours' }],
  ])('reads the throttle policy %j', (text, policy) => {
    expect(readEdgeSettings({ ...ENV, PARLEY_THROTTLE_RATE_LIMIT: text }).throttle.rate_limit).toEqual(policy);
  });

  it('reads where throttle counters are', () => {
    const place = (text?: string) => readEdgeSettings({ ...ENV, PARLEY_THROTTLE_STORE: text }).throttleStore;
    expect([place(), place('postgres'), place('rediss://u:p@redis:6380/1')]).toEqual([
      'memory',
      'postgres',
      new URL('rediss://u:p@redis:6380/1'),
    ]);
  });

  it.each([
    ['PARLEY_THROTTLE_STORE', 'valkey'],
    ['PARLEY_THROTTLE_STORE', 'redis:///0'],
    ['PARLEY_THROTTLE_STORE', 'https://user:password@redis'],
    ['PARLEY_THROTTLE_RATE_LIMIT', 'lots'],
    ['PARLEY_THROTTLE_RATE_LIMIT', '0 per 9 minutes'],
    ['PARLEY_API_KEY', 'sk-123'],
    ['PARLEY_OPERATOR_KEY', 'short'],
    ['PARLEY_PUBLIC_URL', 'parley.example.com'],
    ['PARLEY_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['PARLEY_TRUSTED_PROXIES', 'proxy.local'],
    ['PARLEY_CORS_ORIGINS', 'https://app.example.com/'],
    ['THROTTLE_ERROR_FORMAT', 'xml'],
  ])('refuses %s=%s in one line without the value', (name, value) => {
    const read = () => readEdgeSettings({ ...ENV, [name]: value });
    expect(read).toThrow(new RegExp(`^bad configuration: ${name}`));
    expect(read).not.toThrow(value);
  });

  it('names every service address that is missing', () => {
    expect(() => readEdgeConfig(ENV)).toThrow(/PARLEY_CHAT_ROUTING_ADDRESS.*PARLEY_ACTIONS_ADDRESS/);
  });

  it('drops the slash at the end of the public URL', () => {
    expect(readEdgeSettings({ ...ENV, PARLEY_PUBLIC_URL: 'https://p.example/' }).publicUrl).toBe('https://p.example');
  });
});
