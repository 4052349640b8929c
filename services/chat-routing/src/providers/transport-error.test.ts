import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type GatewayError } from '@parley/protos/errors';
import { createServer, type Socket } from 'node:net';
import { beforeEachOnStage } from '../../test/provider-stage.ts';
import { type HttpPools } from './http-pools.ts';
import { type TestUpstream } from './testing/upstream.ts';
import { toTransportError } from './transport-error.ts';
import { UpstreamCall } from './upstream-call.ts';

describe('an upstream that is not reached', () => {
  let upstream: TestUpstream;
  let pools: HttpPools;
  beforeEachOnStage((stage) => ({ upstream, pools } = stage));

  /** How a call to this origin fails. */
  async function failure(origin: string, acceptanceMs = 60_000): Promise<GatewayError> {
    let failed: GatewayError | undefined;
    const other = () => {
      throw new Error('nothing listens');
    };
    const reader = {
      onHead: other,
      onChunk: other,
      onEnd: other,
      onErrorResponse: other,
      onError: (error: GatewayError) => (failed = error),
    };
    new UpstreamCall(pools.getEndpoint(origin).pool, { path: '/', headers: {}, body: '{}' }, { acceptanceMs, silenceMs: 60_000 }, reader);
    return waitFor(() => failed);
  }

  it('was not asked where nothing listens', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    const { port } = await waitFor(() => free.address() as { port: number } | null);
    await new Promise((resolve) => free.close(resolve));
    const error = await failure(`http://127.0.0.1:${port}`);
    expect(error).toMatchObject({
      condition: 'PROVIDER_UNAVAILABLE',
      message: expect.stringContaining('nothing listens'),
      upstream: { notSent: true },
    });
    await expect(pools.requestJson(`http://127.0.0.1:${port}`, '', { method: 'GET' })).rejects.toMatchObject({
      upstream: { notSent: true },
    });
  });

  it('was not asked where no TLS connection comes about', async () => {
    const error = await failure(upstream.url.replace('http:', 'https:'));
    expect(error).toMatchObject({
      condition: 'PROVIDER_UNAVAILABLE',
      message: expect.stringContaining('it may speak http'),
      upstream: { notSent: true },
    });
  });

  it('was not asked where the connection breaks off before anything is sent', async () => {
    const server = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1');
    const { port } = await waitFor(() => server.address() as { port: number } | null);
    const error = await failure(`https://127.0.0.1:${port}`);
    await new Promise((resolve) => server.close(resolve));
    expect(error).toMatchObject({ condition: 'PROVIDER_UNAVAILABLE', upstream: { notSent: true } });
  });

  it('was not asked where the time is up before there is a connection', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    const { port } = await waitFor(() => server.address() as { port: number } | null);
    const error = await failure(`https://127.0.0.1:${port}`, 100);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
    expect(error).toMatchObject({ condition: 'PROVIDER_TIMEOUT', upstream: { notSent: true } });
  });

  it('may have been asked where it resets what it was sent, or does not answer', async () => {
    upstream.script = ({ res }) => void res.socket?.resetAndDestroy();
    expect(await failure(upstream.url)).toMatchObject({ condition: 'PROVIDER_UNAVAILABLE', upstream: { notSent: false } });
    upstream.script = () => undefined;
    expect(await failure(upstream.url, 1_500)).toMatchObject({ condition: 'PROVIDER_TIMEOUT', upstream: { notSent: false } });
  });

  it.each([
    ['ENOTFOUND', 'PROVIDER_UNAVAILABLE', 'the name of the provider does not resolve', true],
    ['EHOSTUNREACH', 'PROVIDER_UNAVAILABLE', 'no network leads to the address of the provider', true],
    ['UND_ERR_CONNECT_TIMEOUT', 'PROVIDER_TIMEOUT', 'the provider could not be reached in time', true],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'PROVIDER_UNAVAILABLE',
      'no TLS connection to the provider came about: its certificate is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)',
      true,
    ],
    [
      'CERT_HAS_EXPIRED',
      'PROVIDER_UNAVAILABLE',
      'no TLS connection to the provider came about: its certificate is not accepted (CERT_HAS_EXPIRED)',
      true,
    ],
    ['ECONNRESET', 'PROVIDER_UNAVAILABLE', 'the connection to the provider failed', false],
    ['UND_ERR_BODY_TIMEOUT', 'PROVIDER_TIMEOUT', 'the provider went silent', false],
    ['constructor', 'PROVIDER_UNAVAILABLE', 'the connection to the provider failed', false],
  ])('has a sentence for %s', (code, condition, message, notSent) => {
    const error = toTransportError(Object.assign(new Error('10.0.0.1 says secret words'), { code }));
    expect(error).toMatchObject({ condition, message, upstream: { notSent } });
    expect(toTransportError(error.cause as Error, true).upstream).toEqual({ notSent: false });
  });

  it.each([
    ['hangs', () => undefined],
    ['does not end', (write: () => void) => write()],
  ])('is refused by its status when the body of its refusal %s', async (_name, go) => {
    upstream.script = ({ res }) => {
      res.writeHead(429, { 'retry-after': '7' });
      res.flushHeaders();
      const write = () => {
        while (!res.destroyed && res.write('x'.repeat(16_384)));
      };
      res.on('drain', write);
      go(write);
    };
    const refused = await new Promise<{ status: number; retryAfter: unknown }>((resolve, reject) => {
      const other = () => reject(new Error('nothing else listens'));
      const reader = { onHead: other, onChunk: other, onEnd: other, onErrorResponse: resolve, onError: reject };
      new UpstreamCall(
        pools.getEndpoint(upstream.url).pool,
        { path: '/', headers: {}, body: '{}' },
        { acceptanceMs: 30_000, silenceMs: 30_000 },
        reader,
      );
    });
    expect(refused).toMatchObject({ status: 429, retryAfter: '7' });
    await waitFor(() => upstream.received[0]?.isClosed);
  });
});
