import { afterAll, describe, expect, it } from '@jest/globals';
import { type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { EgressGuard, type Resolver } from './egress-guard.ts';
import { parseEgressPolicy } from './egress-policy.ts';

/** A resolver with untrusted names. */
const NAMES: Record<string, string[]> = {
  'public.test': ['93.184.216.34'],
  'private.test': ['10.0.0.1'],
  'local.test': ['127.0.0.1'],
  'mixed.test': ['93.184.216.34', '192.168.1.1'],
  'mixed6.test': ['2606:2800:220:1::1', 'fd00::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'nat64.test': ['64:ff9b::a9fe:a9fe'],
  'sixtofour.test': ['2002:7f00:1::'],
  'empty.test': [],
  'xn--bcher-kva.test': ['10.0.0.1'],
};
const asAddress = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });
const resolver: Resolver = (name, answer) => {
  const found = NAMES[name.replace(/\.$/, '')];
  if (found) answer(null, found.map(asAddress));
  else answer(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
};

/** What a request to a URL fails with, or the status that it is answered with. */
async function attempt(guard: EgressGuard, text: string, own?: string): Promise<string> {
  try {
    const url = new URL(text);
    guard.admit(url, own === undefined ? undefined : new URL(own));
    const { statusCode, body } = await guard.dispatcher.request({
      origin: url.origin,
      path: '/',
      method: 'GET',
      signal: AbortSignal.timeout(60_000),
    });
    await body.dump();
    return String(statusCode);
  } catch (error) {
    const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
    return (first as Error).name === 'EgressRefused' ? 'refused' : 'failed';
  }
}

/** Every host is allowed by its name: what is left is what it stands for. */
function allowing(...texts: string[]): EgressGuard {
  const hosts = texts
    .flatMap((text) => (URL.canParse(text) ? [new URL(text).hostname] : []))
    .filter((host) => /[a-z]/.test(host) && !host.includes(':'));
  return new EgressGuard(parseEgressPolicy(hosts, []), resolver);
}

const ADDRESSES = [
  // IPv4, as people and attackers write it
  ...[
    'http://127.0.0.1/',
    'http://127.0.0.1:80/',
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://017700000001/',
  ],
  ...[
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.0.0.1./',
    'http://127.255.255.254/',
    'http://0/',
    'http://0.0.0.0/',
    'http://0.1.2.3/',
  ],
  ...[
    'http://10.0.0.1/',
    'http://10.255.255.255/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
  ],
  ...[
    'http://169.254.169.254/latest/meta-data/',
    'http://169.254.0.1/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0xA9.0xFE.0xA9.0xFE/',
  ],
  ...['http://192.0.0.1/', 'http://192.0.2.1/', 'http://192.88.99.1/', 'http://198.18.0.1/', 'http://198.51.100.1/', 'http://203.0.113.1/'],
  ...['http://224.0.0.1/', 'http://240.0.0.1/', 'http://255.255.255.255/', 'http://１２７.０.０.１/', 'http://127。0。0。1/'],
  // IPv6, and what stands for IPv4 in it
  ...[
    'http://[::1]/',
    'http://[::]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:10.0.0.1]/',
  ],
  ...[
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b:1::a00:1]/',
    'http://[2002:7f00:1::]/',
  ],
  ...[
    'http://[2002:a9fe:a9fe::1]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fd12:3456::1]/',
    'http://[fec0::1]/',
  ],
  ...[
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    'http://[100::1]/',
    'http://[fd00:ec2::254]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[3fff::1]/',
  ],
];
const NAMED = [
  ...[
    'http://private.test/',
    'http://local.test/',
    'http://local.test./',
    'http://LOCAL.test/',
    'http://mixed.test/',
    'http://mixed6.test/',
  ],
  ...[
    'http://mapped.test/',
    'http://metadata.test/',
    'http://nat64.test/',
    'http://sixtofour.test/',
    'http://bücher.test/',
    'https://private.test/',
  ],
];
const MALFORMED = [
  ...['http://user@public.test/', 'http://user:pass@public.test/', 'http://:pass@public.test/', 'ftp://public.test/', 'file:///etc/passwd'],
  ...['gopher://public.test/', 'data:text/plain,x', 'http://public.test:8080/', 'http://other.test/', 'http://public.test.other.test/'],
  ...['http://public.test@127.0.0.1/', 'http://127.0.0.1#@public.test/', 'http://127.0.0.1\\@public.test/'],
];

describe('EgressGuard', () => {
  const guards: EgressGuard[] = [];
  const guard = (made: EgressGuard) => (guards.push(made), made);
  afterAll(() => Promise.all(guards.map((one) => one.close())));

  it('knows enough forms to be worth something', () => {
    expect(ADDRESSES.length + NAMED.length + MALFORMED.length).toBeGreaterThanOrEqual(80);
  });

  it.each(ADDRESSES)('refuses the address %s, though a connection is said to be there', async (url) => {
    await expect(attempt(guard(allowing()), url, url)).resolves.toBe('refused');
  });

  it.each(ADDRESSES)('refuses a name that stands for what %s says', async (text) => {
    const address = new URL(text).hostname.replace(/^\[|\]$/g, '');
    const rebinding: Resolver = (_name, answer) => answer(null, [asAddress(address)]);
    const one = guard(new EgressGuard(parseEgressPolicy(['api.test'], []), rebinding));
    await expect(attempt(one, 'http://api.test/')).resolves.toBe('refused');
  });

  it.each(NAMED)('refuses %s, which is allowed and stands for what is not', async (url) => {
    await expect(attempt(guard(allowing(url)), url)).resolves.toBe('refused');
  });

  it.each(MALFORMED)('refuses %s', async (url) => {
    await expect(attempt(guard(allowing('http://public.test/')), url)).resolves.toBe('refused');
  });

  it('takes a name that answers differently the second time for what it is when it is connected to', async () => {
    const server = createServer((_req, res) => res.end('inside')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    let asked = 0;
    const rebinding: Resolver = (_name, answer) => answer(null, [asAddress(asked++ === 0 ? '127.0.0.1' : '127.0.0.2')]);
    const one = guard(new EgressGuard(parseEgressPolicy([`api.test:${port}`], ['127.0.0.1/32']), rebinding));
    const url = `http://api.test:${port}/`;
    await expect(attempt(one, url)).resolves.toBe('200');
    // The same name, asked for anew: nothing is left of what was found out about it.
    await expect(attempt(one, url)).resolves.toBe('refused');
    expect(asked).toBe(2);
    server.close();
  });

  it('lets out what the operator allows: an address by its text and port, a name by the network it is in', async () => {
    let requests = 0;
    const server = createServer((_req, res) => {
      requests++;
      res.end('ok');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const listed = guard(new EgressGuard(parseEgressPolicy([`127.0.0.1:${port}`, `local.test:${port}`], []), resolver));
    await expect(attempt(listed, `http://127.0.0.1:${port}/`)).resolves.toBe('200');
    await expect(attempt(listed, `http://2130706433:${port}/`)).resolves.toBe('200');
    await expect(attempt(listed, `http://127.0.0.1:${port + 1}/`)).resolves.toBe('refused');
    await expect(attempt(listed, `http://127.0.0.2:${port}/`)).resolves.toBe('refused');
    // Listing an address is not listing every name that stands for it.
    await expect(attempt(listed, `http://local.test:${port}/`)).resolves.toBe('refused');
    const networked = guard(new EgressGuard(parseEgressPolicy([`local.test:${port}`], ['127.0.0.0/8']), resolver));
    await expect(attempt(networked, `http://local.test:${port}/`)).resolves.toBe('200');
    await expect(attempt(networked, `http://127.0.0.1:${port}/`)).resolves.toBe('refused');
    await expect(attempt(networked, `http://127.0.0.1:${port}/`, `http://127.0.0.1:${port}/v1`)).resolves.toBe('200');
    expect(requests).toBe(4);
    server.close();
  });

  it('refuses at each of its gates by itself, before anything is connected to', async () => {
    const one = guard(allowing());
    for (const url of ['http://127.0.0.1:1', 'http://[::1]:1']) {
      await expect(one.dispatcher.request({ origin: url, path: '/', method: 'GET' })).rejects.toMatchObject({ name: 'EgressRefused' });
      expect(() => one.admit(new URL(url), new URL(url))).toThrow('an address that steps may not connect to');
    }
  });

  it('distinguishes an unknown name from a forbidden one', async () => {
    await expect(attempt(guard(allowing('http://unknown.test/')), 'http://unknown.test/')).resolves.toBe('failed');
    await expect(attempt(guard(allowing('http://empty.test/')), 'http://empty.test/')).resolves.toBe('failed');
  });
});

describe('parseEgressPolicy', () => {
  it('takes hosts with and without ports', () => {
    const { allowedHosts } = parseEgressPolicy(['API.example.com', 'api.example.com.:8443', '[fd00::1]:80', 'bücher.example:443'], []);
    expect([...allowedHosts]).toEqual([
      ...['api.example.com:80', 'api.example.com:443', 'api.example.com:8443', '[fd00::1]:80', 'xn--bcher-kva.example:443'],
    ]);
  });

  it.each(['', 'http://a.test', 'a.test/path', 'user@a.test', 'a.test?x', '*.a.test', 'a b', 'a.test:99999'])(
    'refuses the host %j',
    (host) => {
      expect(() => parseEgressPolicy([host], [])).toThrow('is not a host');
    },
  );

  it.each(['10.0.0.0', '10.0.0.0/33', 'localhost', ''])('refuses the network %j', (network) => {
    expect(() => parseEgressPolicy([], [network])).toThrow('is not a network');
  });
});
