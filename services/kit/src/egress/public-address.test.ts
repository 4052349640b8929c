import { describe, expect, it } from '@jest/globals';
import { isPublicHost } from './public-address.ts';

describe('isPublicHost', () => {
  it.each(['example.com', 'EXAMPLE.com.', '93.184.216.34', '[2606:2800:220:1:248:1893:25c8:1946]', 'local.example.com'])(
    'takes %s for public',
    (host) => {
      expect(isPublicHost(host)).toBe(true);
    },
  );

  it.each([
    ['a name without a dot', 'intranet'],
    ['nothing', ''],
    ['a name of this machine', 'api.localhost'],
    ['a name of this network', 'Printer.LOCAL.'],
    ['a name of a home', 'nas.home.arpa'],
    ['loopback', '127.0.0.1'],
    ['a private network', '10.0.0.1'],
    ['a shared one', '100.64.0.1'],
    ['the link', '169.254.169.254'],
    ['documentation', '203.0.113.1'],
    ['a relay of 6to4', '192.88.99.1'],
    ['IPv4 in IPv6', '[::ffff:10.0.0.1]'],
    ['the same, compatible', '[::7f00:1]'],
    ['6to4', '[2002:7f00:1::]'],
    ['Teredo', '[2001:0:7f00:1::]'],
    ['NAT64', '[64:ff9b::a9fe:a9fe]'],
    ['local NAT64', '[64:ff9b:1::a00:1]'],
    ['a site', '[fec0::1]'],
    ['a local network', '[fd12:3456::1]'],
    ['documentation of IPv6', '[3fff::1]'],
    ['many at once', '[ff02::1]'],
  ])('takes %s for not public: %s', (_what, host) => {
    expect(isPublicHost(host)).toBe(false);
  });
});
