import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { waitUntilStable } from '@parley/kit/testing/wait-until-stable';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { connect } from 'node:net';
import { BlobListener } from './blob-listener.ts';
import { API_KEY, bearer, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { head, sendRaw } from './raw-http.ts';

const PIECE = Buffer.alloc(64 * 1_024, 'x');

describe('downloads', () => {
  let fixture: TestFixture;
  let blobs: BlobListener;
  let path: string;
  beforeAll(async () => {
    fixture = await startFixture();
    path = `/v1/assets/${fixture.services.assets.keep({ status: 'ready' }, DEFAULT_WORKSPACE_ID).id}/download`;
  });
  beforeEach(async () => {
    blobs = await BlobListener.start();
    fixture.services.assets.listener = blobs.url;
  });
  afterEach(async () => blobs[Symbol.asyncDispose]());
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const ask = (headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${fixture.edge.url}${path}`, { method, headers: { ...bearer(API_KEY), ...headers } });

  it('answers the bytes with the headers for browsers, and none of the asset service’s own', async () => {
    const answer = await ask({ 'x-request-id': 'mine', origin: 'https://app.example.com' });
    expect([answer.status, await answer.text()]).toEqual([200, '0123456789']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '10',
      'content-disposition': 'attachment; filename="cat.png"',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      etag: '"v1"',
      'cache-control': 'private, no-cache',
      'x-request-id': 'mine',
      'access-control-allow-origin': '*',
    });
    expect(answer.headers.get('set-cookie') ?? answer.headers.get('x-internal')).toBeNull();
  });

  it('asks the asset service with its ticket, and without the client’s key, cookies or body', async () => {
    await sendRaw(
      fixture.edge.port,
      head(`GET ${path}?x=1`, 'Host: h', `Authorization: Bearer ${API_KEY}`, 'Cookie: a=b', 'Expect: 100-continue', 'Content-Length: 4'),
      'body',
    );
    const [asked] = blobs.asked;
    expect(asked?.url).toMatch(/^\/assets\/[0-9a-f-]{36}\?ticket=secret$/);
    expect(Object.keys(asked?.headers ?? {}).sort()).toEqual(['connection', 'host', 'x-request-id']);
    expect(asked?.headers.host).toBe(new URL(blobs.url).host);
  });

  it('answers HEAD without the bytes, and other methods with what is allowed', async () => {
    const answer = await ask({}, 'HEAD');
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '10', '']);
    const refused = await ask({}, 'PUT');
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('answers parts, and 304 to who has it already', async () => {
    const part = await ask({ range: 'bytes=2-4' });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/10', '234']);
    const known = await ask({ 'if-none-match': '"v1"' });
    expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, '"v1"', '']);
    await ask({ range: 'bytes=2-4', 'if-range': '"v1"' });
    expect(blobs.asked.at(-1)?.headers).toMatchObject({ range: 'bytes=2-4', 'if-range': '"v1"' });
  });

  it('refuses a range behind the end in the envelope', async () => {
    const answer = await ask({ range: 'bytes=9999999-' });
    const { error } = (await answer.json()) as ErrorBody;
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    expect(error).toMatchObject({ code: 'range_not_satisfiable', type: 'invalid_request_error', param: 'Range', retryable: false });
  });

  it('answers several requests on one connection', async () => {
    const request = head(`GET ${path}`, 'Host: h', `Authorization: Bearer ${API_KEY}`);
    const socket = connect({ host: '127.0.0.1', port: fixture.edge.port });
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    for (let answers = 1; answers <= 3; answers++) {
      socket.write(request);
      await waitFor(() => text.split('0123456789').length === answers + 1);
    }
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
    socket.destroy();
  });

  it.each([403, 404, 500, 302])('hides an answer of the asset service with %d', async (status) => {
    blobs.answer = (_req, res) => void res.writeHead(status, { location: 'http://secret/' }).end('{"error":{"code":"TICKET_EXPIRED"}}');
    const answer = await ask();
    const { error } = (await answer.json()) as ErrorBody;
    expect([answer.status, error.code, error.retryable]).toEqual([503, 'SERVICE_UNAVAILABLE', true]);
    expect(JSON.stringify(error)).not.toMatch(/TICKET|secret/);
  });

  it('answers 503 when the listener cannot be reached', async () => {
    await blobs[Symbol.asyncDispose]();
    const answer = await ask();
    expect([answer.status, ((await answer.json()) as ErrorBody).error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(answer.headers.get('x-request-id')).not.toBeNull();
  });

  it('refuses an asset that is not ready', async () => {
    const { id } = fixture.services.assets.keep({ status: 'downloading' }, DEFAULT_WORKSPACE_ID);
    const answer = await fetch(`${fixture.edge.url}/v1/assets/${id}/download`, { headers: bearer(API_KEY) });
    const { error } = (await answer.json()) as ErrorBody;
    expect([answer.status, error.code, error.retryable]).toEqual([409, 'ASSET_NOT_READY', true]);
    expect(blobs.asked).toHaveLength(0);
  });

  it('breaks off where the asset service breaks off, so that no client takes half a file for a whole one', async () => {
    blobs.answer = (_req, res) => {
      res.writeHead(200, { 'content-length': 10 });
      res.write('01234', () => res.destroy());
    };
    const answer = await ask();
    await expect(answer.text()).rejects.toThrow();
    const line = await waitFor(() => fixture.lines.findLast(({ operation, aborted }) => operation === 'downloadAsset' && aborted === true));
    expect(line).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 200 });
  });

  it('takes no more from the asset service than the client takes, and hangs up with the client', async () => {
    let sent = 0;
    blobs.answer = (_req, res) => {
      res.writeHead(200, { 'content-length': 100 * 1_024 * 1_024 });
      const more = () => {
        while (!res.destroyed && sent < 100 * 1_024 * 1_024) {
          sent += PIECE.length;
          if (!res.write(PIECE)) return void res.once('drain', more);
        }
      };
      more();
    };
    const client = connect({ host: '127.0.0.1', port: fixture.edge.port });
    client.on('error', () => undefined);
    client.write(head(`GET ${path}`, 'Host: h', `Authorization: Bearer ${API_KEY}`));
    client.once('data', () => client.pause());
    await waitUntilStable(() => sent);
    // What is under way is in the buffers of four sockets.
    expect(sent).toBeLessThan(32 * 1_024 * 1_024);
    client.destroy();
    await waitFor(async () => (await blobs.connections()) === 0);
    const line = await waitFor(() => fixture.lines.findLast(({ operation, aborted }) => operation === 'downloadAsset' && aborted === true));
    expect(line).not.toHaveProperty('code');
  });

  it('hangs up with a client that leaves before the asset service has begun to answer', async () => {
    blobs.answer = () => undefined;
    const leaving = new AbortController();
    const left = fetch(`${fixture.edge.url}${path}`, { headers: bearer(API_KEY), signal: leaving.signal });
    await waitFor(() => blobs.asked.length);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await waitFor(async () => (await blobs.connections()) === 0);
  });

  it('arrives whole when it is large', async () => {
    blobs.bytes = Buffer.alloc(20 * 1_024 * 1_024, 'y');
    const bytes = Buffer.from(await (await ask()).arrayBuffer());
    expect(bytes.equals(blobs.bytes)).toBe(true);
  });
});
