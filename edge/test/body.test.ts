import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { API_KEY, bearer, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { operatorToken } from './operator.ts';

const MIB = 1_024 * 1_024;
const CHAT = '/v1/chat/completions';

describe('request bodies (bad inputs 37 to 43)', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  /** Not fetch: it gives up on an answer that comes before the body has been sent. */
  function post(path: string, body: Buffer | string, headers: Record<string, string> = {}, key = API_KEY) {
    return new Promise<{ status: number; body: ErrorBody }>((resolve, reject) => {
      const sent = request(`${fixture.edge.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearer(key), ...headers },
      });
      sent.on('error', reject).on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as ErrorBody }));
      });
      sent.end(body);
    });
  }

  const chat = (content: string) => `{"model":"auto","messages":[{"role":"user","content":"${content}"}]}`;
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

  it.each([
    ['37 U+0000 in a message', chat('a\\u0000b'), 'messages.0.content'],
    ['37 U+0000 in a name', '{"a\\u0000":1}', 'body'],
    ['38 half a surrogate pair', chat('\\ud83d'), 'messages.0.content'],
    ['38 the other half', chat('\\ude00\\ud83d'), 'messages.0.content'],
    ['39 nesting of 200,000 levels', deep, 'body'],
    ['39 the same inside a field', `{"model":"auto","x":${deep}}`, 'body'],
    ['40 malformed JSON', '{"model":', 'body'],
    ['40 nothing', '', 'body'],
    ['40 a raw control character', '{"model":"a\nb"}', 'body'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), 'body'],
  ])('refuses %s as not valid', async (_name, body, param) => {
    const answer = await post(CHAT, body);
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([422, 'VALIDATION_ERROR', param]);
  });

  it.each([
    ['whole pairs and escaped backslashes', chat('\\ud83d\\ude00 \\\\u0000 \\\\ud83d')],
    ['text that looks like nesting', chat('['.repeat(1_000))],
    ['text with escaped quotes', chat('\\"[\\\\'.repeat(500))],
  ])('takes %s', async (_name, body) => {
    expect((await post(CHAT, body)).status).toBe(200);
  });

  it.each([
    ['41 a chat body of 50 MB', CHAT, 50 * MIB, API_KEY],
    ['any other body over 1 MiB', '/admin/v1/keys', MIB + 1, undefined],
  ])('refuses %s as too large', async (_name, path, size, key) => {
    const answer = await post(path, Buffer.alloc(size, ' '), {}, key ?? (await operatorToken(fixture)));
    expect([answer.status, answer.body.error.code]).toEqual([413, 'request_too_large']);
  });

  it('refuses a body that grows too large without having said so', async () => {
    const answer = await post(
      '/admin/v1/keys',
      Buffer.alloc(2 * MIB, ' '),
      { 'transfer-encoding': 'chunked' },
      await operatorToken(fixture),
    );
    expect([answer.status, answer.body.error.code]).toEqual([413, 'request_too_large']);
  });

  it.each([
    ['42 text/plain', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['JSON in another charset', 'application/json; charset=utf-16'],
    ['a type that only begins so', 'application/jsonp'],
  ])('refuses %s by its type', async (_name, type) => {
    const answer = await post(CHAT, chat('hi'), { 'content-type': type });
    expect([answer.status, answer.body.error.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('refuses an encoding it does not know', async () => {
    const answer = await post(CHAT, chat('hi'), { 'content-encoding': 'zstd' });
    expect([answer.status, answer.body.error.code]).toEqual([415, 'unsupported_media_type']);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('decompresses %s, and 43: stops a bomb', async (encoding, compress) => {
    expect((await post(CHAT, compress(chat('hi')), { 'content-encoding': encoding })).status).toBe(200);
    const bomb = await post(CHAT, compress(Buffer.alloc(64 * MIB)), { 'content-encoding': encoding });
    expect([bomb.status, bomb.body.error.code]).toEqual([413, 'request_too_large']);
  });

  it.each([
    ['is cut', gzipSync(chat('hi')).subarray(0, 20)],
    ['is none', chat('hi')],
  ])('refuses a compressed body that %s', async (_name, body) => {
    const answer = await post(CHAT, body, { 'content-encoding': 'gzip' });
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([422, 'VALIDATION_ERROR', 'body']);
  });
});
