import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { beforeEachOnStage } from '../../../test/provider-stage.ts';
import { type OutgoingFile } from '../file-operations.ts';
import { type HttpPools } from '../http-pools.ts';
import { type ResponseScript, type TestUpstream } from '../testing/upstream.ts';
import { createSandboxFileOperations } from './files.ts';

const never = new AbortController().signal;
const json = (status: number, body: unknown): ResponseScript => {
  return ({ res }) => void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const refusing = (status: number, code: string) => json(status, { error: { code, message: 'secret words' } });

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

describe('files of the sandbox', () => {
  let upstream: TestUpstream;
  let pools: HttpPools;
  beforeEachOnStage((stage) => ({ upstream, pools } = stage));

  const account = () => ({ id: 'a', baseUrl: upstream.url, account: 'ada', secret: 't1' });
  const upload = (over: Partial<OutgoingFile> = {}) => {
    const file = { workspaceId: 'w', name: 'größe.txt', mimeType: 'text/plain', size: 10, bytes: pieces('hello', 'world'), signal: never };
    return createSandboxFileOperations(pools).upload(account(), { ...file, ...over });
  };

  it('are streamed with their names and types', async () => {
    upstream.script = json(201, { id: 'sf_1', status: 'ready' });
    await expect(upload()).resolves.toEqual({ upstreamRef: 'sf_1' });
    const headers = {
      authorization: 'Bearer t1',
      'content-type': 'text/plain',
      'content-length': '10',
      'x-file-name': 'gr%C3%B6%C3%9Fe.txt',
    };
    expect(upstream.received).toMatchObject([{ method: 'POST', path: '/api/files', headers }]);
    expect(upstream.received[0]?.bytes.toString()).toBe('helloworld');
  });

  it.each([
    [401, 'session_expired', 'ACCOUNT_REAUTH_REQUIRED'],
    [403, 'upgrade_required', 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED'],
    [415, 'unsupported_file_type', 'UNSUPPORTED_FILE_TYPE'],
    [429, 'rate_limited', 'PROVIDER_RATE_LIMITED'],
    [500, 'broken', 'PROVIDER_BAD_ANSWER'],
  ])('%i %s is %s', async (status, code, condition) => {
    upstream.script = refusing(status, code);
    await expect(upload()).rejects.toMatchObject({ condition });
  });

  it('are not available until the upstream reports them', async () => {
    upstream.script = json(201, { status: 'ready' });
    await expect(upload()).rejects.toMatchObject({ condition: 'PROVIDER_BAD_ANSWER' });
  });

  it('fail with what their source failed with, and are cut off upstream', async () => {
    const failure = new GatewayError('VALIDATION_ERROR', 'not the file');
    const bytes = (async function* () {
      yield Buffer.from('hello');
      throw failure;
    })();
    await expect(upload({ bytes })).rejects.toBe(failure);
    await waitFor(() => upstream.cutOff.includes('/api/files'));
    expect(upstream.received).toEqual([]);
  });

  it.each([
    ['given up', () => AbortSignal.abort(new GatewayError('CANCELLED', 'gone')), 'CANCELLED'],
    ['out of time', () => AbortSignal.timeout(50), 'PROVIDER_TIMEOUT'],
  ])('end when they are %s', async (_name, signal, condition) => {
    upstream.script = () => undefined;
    await expect(upload({ signal: signal() })).rejects.toMatchObject({ condition });
  });

  it('are removed, and those that are gone are no error', async () => {
    upstream.script = ({ res }) => void res.writeHead(204).end();
    await createSandboxFileOperations(pools).remove(account(), 'sf/1');
    expect(upstream.received).toMatchObject([{ method: 'DELETE', path: '/api/files/sf%2F1' }]);
    upstream.script = refusing(404, 'file_not_found');
    await createSandboxFileOperations(pools).remove(account(), 'sf/1');
    upstream.script = refusing(500, 'broken');
    await expect(createSandboxFileOperations(pools).remove(account(), 'sf/1')).rejects.toMatchObject({ condition: 'PROVIDER_BAD_ANSWER' });
  });

  describe('that it made', () => {
    const open = async (signal = never) => {
      const file = await createSandboxFileOperations(pools).fetch?.(account(), 'sa/1', signal);
      if (!file) throw new Error('nothing is made');
      return file;
    };

    it('are reported before they are available, and read as they arrive', async () => {
      const head = { 'content-type': 'image/png', 'content-length': '6', 'x-file-name': 'a%20b.png' };
      upstream.script = ({ res }) => void res.writeHead(200, head).write('abc');
      const { bytes, ...about } = await open();
      expect(about).toEqual({ name: 'a b.png', mimeType: 'image/png', size: 6 });
      const reader = bytes[Symbol.asyncIterator]();
      expect(Buffer.from((await reader.next()).value as Uint8Array).toString()).toBe('abc');
      upstream.received[0]?.res.end('def');
      expect(Buffer.from((await reader.next()).value as Uint8Array).toString()).toBe('def');
      await expect(reader.next()).resolves.toMatchObject({ done: true });
    });

    it.each([
      [404, 'artifact_not_found', 'ASSET_NOT_FOUND'],
      [409, 'artifact_not_ready', 'ASSET_NOT_READY'],
      [401, 'session_expired', 'ACCOUNT_REAUTH_REQUIRED'],
      [503, 'broken', 'PROVIDER_UNAVAILABLE'],
    ])('%i %s is %s', async (status, code, condition) => {
      upstream.script = refusing(status, code);
      await expect(open()).rejects.toMatchObject({ condition });
    });

    it('are not whole when the connection breaks', async () => {
      upstream.script = ({ res }) => void res.writeHead(200, { 'content-length': '6' }).write('abc', () => res.destroy());
      const { bytes } = await open();
      const read = async () => {
        for await (const piece of bytes) expect(piece.length).toBe(3);
      };
      await expect(read()).rejects.toMatchObject({ condition: 'PROVIDER_UNAVAILABLE' });
    });

    it('are left alone by who stops reading, or never begins to', async () => {
      upstream.script = ({ res }) => void res.writeHead(200).write('abc');
      const { bytes } = await open();
      for await (const piece of bytes) if (piece.length > 0) break;
      await waitFor(() => upstream.received[0]?.isClosed);
      const stop = new AbortController();
      await open(stop.signal);
      stop.abort();
      await waitFor(() => upstream.received[1]?.isClosed);
    });
  });
});
