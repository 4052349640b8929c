import { describe, expect, it } from '@jest/globals';
import { type IncomingMessage } from 'node:http';
import { getRelyingParty } from './relying-party.ts';

/** A request that came to an address, from a page of an origin. */
function request(localAddress: string, origin?: string): IncomingMessage {
  return { socket: { localAddress, localPort: 8080 }, headers: origin === undefined ? {} : { origin } } as unknown as IncomingMessage;
}

describe('the site of passkeys', () => {
  it.each([
    ['the public URL', 'https://chat.example.com', '10.0.0.1', 'https://chat.example.com', 'chat.example.com'],
    ['the public URL at a port', 'https://chat.example.com:8443', '10.0.0.1', 'https://chat.example.com:8443', 'chat.example.com'],
    ['localhost without a public URL', undefined, '127.0.0.1', 'http://localhost:8080', 'localhost'],
    ['localhost over IPv6', undefined, '::1', 'http://localhost:8080', 'localhost'],
  ])('is %s', (_name, publicUrl, address, origin, rpId) => {
    expect(getRelyingParty(request(address, origin), { publicUrl })).toEqual({ rpId, origins: [origin] });
  });

  it.each([
    ['an address', undefined, '127.0.0.1', 'http://127.0.0.1:8080', 'open http://localhost:8080'],
    ['an address of the network', undefined, '10.0.0.1', 'http://10.0.0.1:8080', 'set PARLEY_PUBLIC_URL'],
    ['an address in the public URL', 'https://192.0.2.7', '10.0.0.1', 'https://192.0.2.7', 'set PARLEY_PUBLIC_URL'],
    ['an IPv6 address in the public URL', 'https://[2001:db8::1]', '10.0.0.1', 'https://[2001:db8::1]', 'set PARLEY_PUBLIC_URL'],
    ['plain HTTP', 'http://chat.example.com', '10.0.0.1', 'http://chat.example.com', 'set PARLEY_PUBLIC_URL'],
  ])('is none at %s, in words about what to do', (_name, publicUrl, address, origin, words) => {
    expect(() => getRelyingParty(request(address, origin), { publicUrl })).toThrow(words);
  });
});
