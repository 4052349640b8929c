import { describe, expect, it } from '@jest/globals';
import { parseBrokerUrl } from './broker-url.ts';

describe('parseBrokerUrl', () => {
  it.each([
    ['nats://localhost', { servers: ['localhost:4222'] }],
    ['nats://a:1, nats://b:2', { servers: ['a:1', 'b:2'] }],
    ['nats://me:p%40ss@a:1,nats://b:2', { servers: ['a:1', 'b:2'], user: 'me', pass: 'p@ss' }],
    ['nats://t0ken@[::1]:1', { servers: ['[::1]:1'], token: 't0ken' }],
    ['tls://a', { servers: ['a:4222'], tls: {} }],
  ])('reads %s', (url, options) => {
    expect(parseBrokerUrl(url)).toEqual(options);
  });

  it.each(['localhost', 'localhost:4222', 'http://a', 'nats://', ''])('refuses %j', (url) => {
    expect(() => parseBrokerUrl(url)).toThrow('not a nats:// or tls:// URL');
  });
});
