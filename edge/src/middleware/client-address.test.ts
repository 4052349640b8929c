import { describe, expect, it } from '@jest/globals';
import { type IncomingMessage } from 'node:http';
import { createClientAddressResolver } from './client-address.ts';

function requestFrom(remoteAddress: string, forwarded?: string): IncomingMessage {
  return {
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage;
}

describe('createClientAddressResolver', () => {
  it.each([
    ['no proxy is trusted', [], '203.0.113.9', '192.0.2.1', '203.0.113.9'],
    ['a stranger speaks', ['10.0.0.0/8'], '203.0.113.9', '192.0.2.1', '203.0.113.9'],
    ['a trusted proxy speaks', ['10.0.0.0/8'], '10.1.2.3', '192.0.2.1', '192.0.2.1'],
    ['it speaks over IPv6 sockets', ['10.0.0.0/8'], '::ffff:10.1.2.3', '192.0.2.1', '192.0.2.1'],
    ['the client forged earlier hops', ['10.0.0.0/8'], '10.1.2.3', '1.1.1.1, 192.0.2.1', '192.0.2.1'],
    ['proxies are chained', ['10.0.0.0/8', '2001:db8::/32'], '10.1.2.3', '192.0.2.1, 2001:db8::5', '192.0.2.1'],
    ['the client forged a whole chain of proxies', ['10.0.0.0/8'], '10.1.2.3', '198.51.100.1, 10.9.9.9, 192.0.2.1', '192.0.2.1'],
    ['the client hides behind an address of a proxy', ['10.0.0.0/8'], '203.0.113.9', '10.1.2.3', '203.0.113.9'],
    ['the client speaks IPv6', ['2001:db8::/32'], '2001:db8::5', '2a00:1450::1', '2a00:1450::1'],
    ['a hop is an IPv4 address in IPv6 clothes', ['10.0.0.0/8'], '10.1.2.3', '::ffff:192.0.2.1', '192.0.2.1'],
    ['a hop has a port, or is no address', ['10.0.0.0/8'], '10.1.2.3', '192.0.2.1:8080', '10.1.2.3'],
    ['the header is empty', ['10.0.0.0/8'], '10.1.2.3', '', '10.1.2.3'],
    ['the header is garbage', ['10.0.0.0/8'], '10.1.2.3', 'unknown', '10.1.2.3'],
    ['every hop is a proxy', ['10.0.0.0/8'], '10.1.2.3', '10.0.0.1', '10.0.0.1'],
  ])('when %s', (_name, trusted, remote, forwarded, expected) => {
    expect(createClientAddressResolver(trusted)(requestFrom(remote, forwarded))).toBe(expected);
  });
});
