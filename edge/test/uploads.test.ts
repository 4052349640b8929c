import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@parley/kit/log/logger';
import { serve } from '@parley/kit/rpc/serve';
import { waitFor } from '@parley/kit/testing/wait-for';
import { AssetServiceService } from '@parley/protos/asset/v1/asset';
import { GatewayError } from '@parley/protos/errors';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { FakeAssets } from './fake-assets.ts';
import { BOUNDARY, fieldPart, filePart, type Part, rawForm } from './forms.ts';
import { call, type TestFixture, startFixture } from './harness.ts';
import { UploadClient } from './upload-client.ts';

const MIB = 1_024 * 1_024;
const LIMIT = 10 * MIB;
const ID = '01900000-0000-7000-8000-0000000000c1';
const PATHS = [
  ['attachments', `/v1/conversations/${ID}/attachments`, 200],
  ['project files', `/v1/projects/${ID}/files`, 201],
] as const;
const ATTACHMENTS = PATHS[0][1];

describe.each(['in-process', '127.0.0.1:0'] as const)('uploads to a service at %s', (listen) => {
  let fixture: TestFixture;
  let assets: FakeAssets;
  let client: UploadClient;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    assets = new FakeAssets();
    const endpoint = await serve(AssetServiceService, assets.handlers(), listen, createLogger({ service: 'fake', level: 'silent' }));
    stop = () => endpoint.close();
    fixture = await startFixture({ assetAddress: endpoint.address, bodyIdleMs: 2_500 });
  });
  beforeEach(() => {
    client = new UploadClient(fixture.edge.url);
    assets.uploads = [];
    assets.broken = [];
    assets.taking = () => undefined;
  });
  afterEach(async () => {
    client.close();
    expect((await call(`${fixture.edge.url}/livez`)).status).toBe(200);
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
    await stop();
  });

  describe.each(PATHS)('of %s', (_name, path, status) => {
    it('arrive whole, in pieces, whatever stands around the file', async () => {
      const bytes = randomBytes(LIMIT);
      const sizes: number[] = [];
      assets.taking = (chunk) => void (chunk && sizes.push(chunk.length));
      const odd = ['purpose', 'a[b][c]', '0', '__proto__', 'constructor', ''].map((name) => fieldPart(name, 'ignored'));
      const body = rawForm(...odd, filePart(bytes, 'große Datei.txt'), ...odd);
      expect((await client.post(path, body)).status).toBe(status);
      expect(assets.uploads).toHaveLength(1);
      expect(assets.uploads[0]?.bytes.equals(bytes)).toBe(true);
      expect(assets.uploads[0]?.head.file).toEqual({ fileName: 'große Datei.txt', declaredType: 'text/plain' });
      expect(Math.max(...sizes)).toBeLessThanOrEqual(64 * 1_024);
      expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    });

    it.each([
      ['57 nothing', rawForm(), 'file'],
      ['57 fields only', rawForm(fieldPart('purpose', 'x')), 'file'],
      ['57 a field named file', rawForm(fieldPart('file', 'hello')), 'file'],
      ['57 a file of another name', rawForm(filePart('hello', 'a.txt', 'upload')), 'file'],
      ['57 a file without a name', rawForm({ headers: 'Content-Disposition: form-data; filename="a.txt"', content: 'hello' }), 'file'],
      ['59 a nested name', rawForm(filePart('hello', 'a.txt', 'file[0]')), 'file'],
      ['59 a name nested deeply', rawForm(filePart('hello', 'a.txt', 'file[a][b][__proto__]')), 'file'],
      ['59 a numeric name', rawForm(filePart('hello', 'a.txt', '0')), 'file'],
      ['59 the name __proto__', rawForm(filePart('hello', 'a.txt', '__proto__')), 'file'],
      ['a second file', rawForm(filePart('hello'), filePart('world')), 'file'],
      ['a second file of another name', rawForm(filePart('hello'), filePart('world', 'b.txt', 'other')), 'file'],
      ['58 a form cut off in its file', rawForm(filePart('x'.repeat(200_000))).subarray(0, 100_000), 'body'],
      ['58 a form cut off behind its file', rawForm(filePart('hello')).subarray(0, -4), 'body'],
      ['58 a form cut off in a header', Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-da`), 'body'],
      ['58 no form at all', Buffer.from('hello'), 'body'],
      ['58 nothing at all', Buffer.alloc(0), 'body'],
      ['a header without end', rawForm({ headers: `X: ${'x'.repeat(20_000)}`, content: '' }), 'body'],
      ['too many fields', rawForm(...fields(17), filePart('hello')), 'body'],
      ['too many fields behind the file', rawForm(filePart('hello'), ...fields(17)), 'body'],
      ['a field that is too long', rawForm(fieldPart('a', 'x'.repeat(9_000)), filePart('hello')), 'body'],
      ['a field whose name is too long', rawForm(fieldPart('a'.repeat(201), ''), filePart('hello')), 'body'],
    ])('are refused with %s, and nothing is kept', async (_what, body, param) => {
      const answer = await client.post(path, body);
      expect(answer).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR', param, retryable: false } } });
      expect(assets.uploads).toEqual([]);
    });

    it.each([
      ['another type', { 'content-type': 'application/json' }, 415, 'unsupported_media_type'],
      ['a type that only begins so', { 'content-type': `multipart/form-data-x; boundary=${BOUNDARY}` }, 415, 'unsupported_media_type'],
      ['another kind of form', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
      ['a compressed form', { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
      ['no boundary', { 'content-type': 'multipart/form-data' }, 422, 'VALIDATION_ERROR'],
    ])('are refused with %s', async (_what, headers, refused, code) => {
      const plain = rawForm(filePart('hello'));
      const answer = await client.post(path, 'content-encoding' in headers ? gzipSync(plain) : plain, headers);
      expect([answer.status, answer.body.error.code]).toEqual([refused, code]);
      expect(assets.uploads).toEqual([]);
    });

    it.each([
      ['60 one byte too many', LIMIT + 1, {}],
      ['60 one byte too many, not announced', LIMIT + 1, { 'transfer-encoding': 'chunked' }],
      ['far too many, announced', 30 * MIB, {}],
      ['far too many, not announced', 30 * MIB, { 'transfer-encoding': 'chunked' }],
    ])('are refused with %s', async (_what, size, headers: Record<string, string>) => {
      const answer = await client.post(path, rawForm(filePart(Buffer.alloc(size, 'x'))), headers);
      expect(answer).toMatchObject({ status: 413, body: { error: { code: 'FILE_TOO_LARGE', param: 'file' } } });
      expect(assets.uploads).toEqual([]);
      expect((await client.post(path, rawForm(filePart('hello')))).status).toBe(status);
    });

    it('bring the answer of a service that refuses half-way, and serve the connection on', async () => {
      let taken = 0;
      assets.taking = (chunk) => {
        taken += chunk?.length ?? 0;
        if (taken > 100_000) throw new GatewayError('UNSUPPORTED_FILE_TYPE', 'this kind of file is not supported');
      };
      const answer = await client.post(path, rawForm(filePart(randomBytes(LIMIT))));
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'UNSUPPORTED_FILE_TYPE' } } });
      assets.taking = () => undefined;
      expect((await client.post(path, rawForm(filePart('hello')))).status).toBe(status);
    });

    it('break off with a client that goes away, before its file has arrived and after', async () => {
      for (const rest of ['', `\r\n--${BOUNDARY}--\r\n`]) {
        assets.broken = [];
        let release: () => void = () => undefined;
        let taken = 0;
        assets.taking = (chunk) => {
          taken += chunk?.length ?? 0;
          return chunk ? undefined : new Promise((resolve) => (release = resolve));
        };
        const { sent } = client.begin(path, { 'transfer-encoding': 'chunked' });
        sent.write(rawForm(filePart('x'.repeat(100_000))).subarray(0, -`\r\n--${BOUNDARY}--\r\n`.length));
        sent.write(rest);
        await waitFor(() => taken >= (rest === '' ? 90_000 : 100_000));
        const before = assets.calls.at(-1)?.call;
        sent.destroy();
        await waitFor(() => before?.abortReason?.condition === 'CANCELLED');
        release();
      }
      expect(assets.uploads).toEqual([]);
    });

    it('are given up with a client that pauses', async () => {
      const { sent, answer } = client.begin(path, { 'transfer-encoding': 'chunked' });
      sent.write(rawForm(filePart('x'.repeat(1_000))).subarray(0, 900));
      expect(await answer).toMatchObject({ status: 408, body: { error: { code: 'request_timeout' } } });
      expect(assets.uploads).toEqual([]);
      sent.destroy();
    });
  });

  it('wait for a service that is slower than a client may be', async () => {
    let slept = false;
    assets.taking = async () => {
      if (slept) return;
      slept = true;
      await new Promise((resolve) => setTimeout(resolve, 4_000));
    };
    expect((await client.post(ATTACHMENTS, rawForm(filePart(randomBytes(LIMIT))))).status).toBe(200);
  });

  it('answer an attachment with the documented fields, an image with its size', async () => {
    const plain = await client.post<Record<string, unknown>>(ATTACHMENTS, rawForm(filePart('hello')));
    expect(plain.body).toEqual({
      file_id: expect.stringMatching(/^file_/),
      asset_id: expect.any(String),
      file_name: 'notes.txt',
      mime_type: 'image/png',
      size_bytes: 5,
    });
    assets.look = { width: 30, height: 20 };
    const image = await client.post<Record<string, unknown>>(ATTACHMENTS, rawForm(filePart('hello')));
    assets.look = {};
    expect(image.body).toMatchObject({ width: 30, height: 20 });
  });

  it('64: leave an empty file to the service, which refuses it', async () => {
    assets.taking = (chunk) => {
      if (!chunk) throw new GatewayError('VALIDATION_ERROR', 'the file is empty', { param: 'file' });
    };
    expect(await client.post(ATTACHMENTS, rawForm(filePart('')))).toMatchObject({ status: 422, body: { error: { param: 'file' } } });
  });

  it.each(['../../etc/passwd', 'C:\\\\temp\\\\a.txt', '\u202Etxt.exe', 'a;b=c.txt', `${'x'.repeat(1_000)}.txt`])(
    '63: pass the name %j on, for the service to make it safe',
    async (name) => {
      expect((await client.post(ATTACHMENTS, rawForm(filePart('hello', name)))).status).toBe(200);
      expect(assets.uploads[0]?.head.file?.fileName).toBe(name.replaceAll('\\\\', '\\'));
    },
  );

  it('63: take a line break in a name for the end of the header', async () => {
    const answer = await client.post(ATTACHMENTS, rawForm(filePart('hello', 'a\r\nX-Evil: 1')));
    expect(answer.status).toBeLessThan(500);
    for (const { head } of assets.uploads) expect(head.file?.fileName).not.toMatch(/[\r\n]/);
  });
});

function fields(count: number): Part[] {
  return Array.from({ length: count }, (_, n) => fieldPart(`f${n}`, 'x'));
}
