import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DownloadTicketSigner } from '@parley/kit/downloads/download-ticket-signer';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { TICKET_PURPOSE } from '../src/server.ts';
import { startS3 } from './blob-stores.ts';
import { PNG, textOf } from './files.ts';
import { type TestFixture, type Running, artifact, newCaller, openFixture, reaches, register } from './fixture.ts';
import { consistsOf } from './upstream.ts';

const BYTES = textOf(300_000);
const ETAG = `"${createHash('sha256').update(BYTES).digest('hex')}"`;

let fixture: TestFixture;
let s3: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  fixture = await openFixture();
  s3 = await startS3();
});
afterAll(async () => {
  await fixture.close();
  s3.close();
});

describe.each(['folder', 's3'])('a download from a %s', (kind) => {
  let service: Running;
  let caller: Caller;
  let id: string;
  beforeAll(async () => {
    service = await fixture.start(kind === 's3' ? { blobs: s3.config } : {});
    caller = newCaller();
    const one = artifact(fixture.upstream, consistsOf(BYTES), {
      assetType: 'file',
      fileName: 'Über "x"; 日本.txt',
      mimeType: 'text/plain',
    });
    id = one.assetId;
    await register(service, caller, [one]);
    await reaches(service, caller, id, 'ready');
  });
  afterAll(() => service.stop());

  const locate = async (asset = id) => {
    const { baseUrl, path } = await service.stub.openDownload({ id: asset }, { caller });
    return `${baseUrl}${path}`;
  };
  const get = async (headers: Record<string, string> = {}, method = 'GET') => fetch(await locate(), { headers, method });
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  it('has the bytes, and headers that no browser can misunderstand', async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...{ 'content-type': 'text/plain', 'content-length': '300000', 'accept-ranges': 'bytes', etag: ETAG },
      ...{ 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-cache' },
      'content-disposition': `attachment; filename="?ber \\"x\\"; ??.txt"; filename*=UTF-8''%C3%9Cber%20%22x%22%3B%20%E6%97%A5%E6%9C%AC.txt`,
    });
    expect((await bytesOf(response)).equals(BYTES)).toBe(true);
  });

  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=299990-', 299_990, 299_999],
    ['bytes=-10', 299_990, 299_999],
    ['bytes=100000-900000', 100_000, 299_999],
    ['bytes=-900000', 0, 299_999],
  ])('answers %s with that part', async (range, start, end) => {
    const response = await get({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/300000`);
    expect((await bytesOf(response)).equals(BYTES.subarray(start, end + 1))).toBe(true);
  });

  it.each<Record<string, string>>([{ range: 'bytes=0-1,5-6' }, { range: 'lines=1-2' }, { range: 'bytes=0-9', 'if-range': '"other"' }])(
    'answers %j with the whole',
    async (headers) => {
      const response = await get(headers);
      expect(response.status).toBe(200);
      expect((await bytesOf(response)).length).toBe(300_000);
    },
  );

  it('answers a part of this very version, and 416 for none of it', async () => {
    await expect(get({ range: 'bytes=0-9', 'if-range': ETAG })).resolves.toMatchObject({ status: 206 });
    const response = await get({ range: 'bytes=9999999-' });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */300000');
  });

  it('answers HEAD with the headers only, and 304 to a client that has this version', async () => {
    const head = await get({ range: 'bytes=0-9' }, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.headers.get('content-range')]).toEqual([200, '300000', null]);
    expect(await head.text()).toBe('');
    const known = await get({ 'if-none-match': ETAG });
    expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, ETAG, '']);
    await expect(get({ 'if-none-match': '"other"' })).resolves.toMatchObject({ status: 200 });
  });

  it.each(['', 'x', '1.a'])('refuses the ticket %j in the envelope', async (ticket) => {
    const { baseUrl } = await service.stub.openDownload({ id }, { caller });
    const response = await fetch(`${baseUrl}/assets/${id}?ticket=${ticket}`, { headers: { 'x-request-id': 'req-1' } });
    expect(response.status).toBe(403);
    await expect(response.json()).resolves.toEqual({
      error: {
        ...{ code: 'ASSET_ACCESS_DENIED', message: 'the ticket is invalid or expired', type: 'authorization_error' },
        ...{ param: null, request_id: 'req-1', retryable: false },
      },
    });
  });

  it('refuses a ticket that has run out, of another asset or of another fixture', async () => {
    const { baseUrl } = await service.stub.openDownload({ id }, { caller });
    const ours = new DownloadTicketSigner([Buffer.alloc(32, 1)], TICKET_PURPOSE);
    const theirs = new DownloadTicketSigner([Buffer.alloc(32, 2)], TICKET_PURPOSE);
    for (const ticket of [ours.sign(id, Date.now() - 31_000), ours.sign(uuidv7(), Date.now()), theirs.sign(id, Date.now())]) {
      await expect(fetch(`${baseUrl}/assets/${id}?ticket=${ticket}`)).resolves.toMatchObject({ status: 403 });
    }
    const gone = uuidv7();
    await expect(fetch(`${baseUrl}/assets/${gone}?ticket=${ours.sign(gone, Date.now())}`)).resolves.toMatchObject({ status: 404 });
  });

  it('knows nothing else', async () => {
    const { baseUrl } = await service.stub.openDownload({ id }, { caller });
    for (const path of ['/', '/assets/', '/assets/..%2f..%2fetc', '//x'])
      await expect(fetch(`${baseUrl}${path}`)).resolves.toMatchObject({ status: 404 });
    const response = await get({}, 'POST');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('is refused until the asset is ready, and to other workspaces', async () => {
    const one = artifact(fixture.upstream, async function* (_attempt, signal) {
      yield { frame: { $case: 'head', value: { mimeType: '', fileName: '', sizeBytes: undefined } } };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    await register(service, caller, [one]);
    await expect(locate(one.assetId)).rejects.toMatchObject({ condition: 'ASSET_NOT_READY' });
    await expect(locate(uuidv7())).rejects.toMatchObject({ condition: 'ASSET_NOT_FOUND' });
    await expect(service.stub.openDownload({ id }, { caller: newCaller() })).rejects.toMatchObject({ condition: 'ASSET_ACCESS_DENIED' });
    await fixture.sql.query('DELETE FROM assets WHERE id = $1', [one.assetId]);
  });

  it('is 503, not a broken answer, when the bytes are gone', async () => {
    const one = artifact(fixture.upstream, consistsOf(PNG));
    await register(service, caller, [one]);
    await reaches(service, caller, one.assetId, 'ready');
    const { rows } = await fixture.sql.query<{ blob_key: string }>('UPDATE assets SET blob_key = $2 WHERE id = $1 RETURNING blob_key', [
      one.assetId,
      `assets/00/${uuidv7()}-1`,
    ]);
    expect(rows).toHaveLength(1);
    const response = await fetch(await locate(one.assetId));
    expect(response.status).toBe(503);
    await expect(response.json()).resolves.toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE', retryable: true } });
  });

  it('is given up with the client, and others go on', async () => {
    const url = new URL(await locate());
    const socket = connect({ host: url.hostname, port: Number(url.port) });
    socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'data');
    socket.destroy();
    await expect(get()).resolves.toMatchObject({ status: 200 });
  });
});

it('finishes a download that is under way when the service stops, and refuses new ones', async () => {
  const service = await fixture.start();
  const caller = newCaller();
  const bytes = textOf(20_000_000);
  const one = artifact(fixture.upstream, consistsOf(bytes), { assetType: 'file', fileName: 'big.txt', mimeType: 'text/plain' });
  await register(service, caller, [one]);
  await reaches(service, caller, one.assetId, 'ready');
  const { baseUrl, path } = await service.stub.openDownload({ id: one.assetId }, { caller });
  const response = await fetch(`${baseUrl}${path}`);
  let drained = false;
  const draining = service.server.drain().then(() => (drained = true));
  await waitFor(async () => (await fetch(`${baseUrl}${path}`)).status === 503);
  expect(drained).toBe(false);
  expect((await response.arrayBuffer()).byteLength).toBe(bytes.length);
  await draining;
});
