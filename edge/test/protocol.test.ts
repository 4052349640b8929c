import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { API_KEY, call, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { operatorToken } from './operator.ts';
import { head, type RawAnswer, sendRaw } from './raw-http.ts';

const HOST = 'Host: parley.test';
const AUTH = `Authorization: Bearer ${API_KEY}`;
const CHAT = 'POST /v1/chat/completions';
const JSON_TYPE = 'Content-Type: application/json';
const UUID = /^[0-9a-f-]{36}$/;

describe('protocol hardening (bad inputs 79 to 89)', () => {
  let fixture: TestFixture;
  let port: number;
  beforeAll(async () => {
    fixture = await startFixture({ headersTimeoutMs: 400, requestTimeoutMs: 600 });
    port = fixture.edge.port;
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const linesOf = ({ headers }: RawAnswer) => fixture.lines.filter(({ requestId }) => requestId === headers.get('x-request-id'));

  function expectEnvelope(answer: RawAnswer, status: number, code: string): void {
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { error } = JSON.parse(answer.body) as ErrorBody;
    expect(error.code).toBe(code);
    expect(error.request_id).toBe(answer.headers.get('x-request-id'));
    expect(error.retryable).toBe(false);
    expect(answer.headers.get('x-should-retry')).toBe('false');
  }

  it.each([
    ['79 Content-Length beside Transfer-Encoding', head(CHAT, HOST, AUTH, JSON_TYPE, 'Content-Length: 4', 'Transfer-Encoding: chunked')],
    ['79 two different Content-Lengths', head(CHAT, HOST, AUTH, JSON_TYPE, 'Content-Length: 4', 'Content-Length: 5')],
    ['79 the same Content-Length twice', head(CHAT, HOST, AUTH, JSON_TYPE, 'Content-Length: 4', 'Content-Length: 4')],
    ['79 a folded header', head('GET /v1/models', HOST, 'X-Folded: a', ' b', AUTH)],
    ['80 an unknown Transfer-Encoding', head(CHAT, HOST, AUTH, JSON_TYPE, 'Transfer-Encoding: xchunked')],
    ['81 two Host headers', head('GET /v1/models', HOST, 'Host: other.test', AUTH)],
    ['81 no Host header', head('GET /v1/models', AUTH)],
    ['a bare line feed in a header', head('GET /v1/models', HOST, 'X-Bad: a\nX-Other: b', AUTH)],
    ['garbage', '\u0000\u0001\u0002\r\n\r\n'],
    ['83 a path that does not decode', head('GET /v1/%E0%A4%A', HOST, AUTH)],
    ['an expectation that cannot be met', head('GET /v1/models', HOST, AUTH, 'Expect: magic')],
  ])('answers 400 to %s', async (_name, request) => {
    const answer = await sendRaw(port, request);
    expectEnvelope(answer, 400, 'INVALID_REQUEST');
    await waitFor(() => linesOf(answer).length > 0);
    expect(linesOf(answer)).toMatchObject([{ status: 400, code: 'INVALID_REQUEST' }]);
  });

  it('logs a CONNECT as any other request', async () => {
    const answer = await sendRaw(port, head('CONNECT x:1', 'Host: x:1'));
    expect(linesOf(answer)).toMatchObject([{ operation: 'unknown', method: 'CONNECT', status: 405, code: 'method_not_allowed' }]);
  });

  it.each([
    ['X-Service-Conversation-Id', '0190a000-0000-7000-8000-0000000000aa'],
    ['X-Service-Project', 'inner'],
    ['Idempotency-Key', 'k'],
  ])('says of %s twice that it is given more than once', async (name, value) => {
    const given = `${name}: ${value}`;
    const answer = await sendRaw(port, `${head(CHAT, HOST, AUTH, JSON_TYPE, 'Content-Length: 2', given, given)}{}`);
    expectEnvelope(answer, 422, 'VALIDATION_ERROR');
    expect((JSON.parse(answer.body) as ErrorBody).error).toMatchObject({ param: name, message: `${name}: given more than once` });
  });

  it.each(['%FF', 'a%C3', '%ED%A0%80', 'a%00b'])('does not search for %s, which is no text', async (search) => {
    const { status, body } = await call<ErrorBody>(`${fixture.edge.url}/v1/conversations?search=${search}`, { key: API_KEY });
    expect([status, body.error.code, body.error.param]).toEqual([422, 'VALIDATION_ERROR', 'search']);
  });

  it('answers 431 to 17 KB of headers', async () => {
    expectEnvelope(await sendRaw(port, head('GET /v1/models', HOST, `X-Long: ${'a'.repeat(17 * 1_024)}`)), 431, 'headers_too_large');
  });

  it.each([
    ['a%00b', 'keys/a%00b'],
    ['..%2f..%2fadmin', 'connections/..%2f..%2fadmin'],
    ['x', 'keys/x'],
  ])('84: %s as an id is not valid', async (_id, path) => {
    const { status, body } = await call<ErrorBody>(`${fixture.edge.url}/admin/v1/${path}`, {
      method: 'DELETE',
      key: await operatorToken(fixture),
    });
    expect([status, body.error.code, body.error.param]).toEqual([422, 'VALIDATION_ERROR', 'id']);
  });

  it.each([
    ['a known path', '/v1/models', 'GET, HEAD, OPTIONS'],
    ['chat', '/v1/chat/completions', 'POST, OPTIONS'],
    ['an unknown path', '/nowhere', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
  ])('85: answers 405 to TRACE of %s', async (_name, path, allow) => {
    const answer = await sendRaw(port, head(`TRACE ${path}`, HOST, AUTH));
    expectEnvelope(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe(allow);
  });

  it('answers 405 to CONNECT', async () => {
    expectEnvelope(await sendRaw(port, head('CONNECT upstream.test:443', HOST)), 405, 'method_not_allowed');
  });

  it('86: answers 408 when the headers do not come', async () => {
    expectEnvelope(await sendRaw(port, 'GET /v1/models HTTP/1.1\r\nHost: parley.test\r\n'), 408, 'request_timeout');
  });

  it('86: answers 408 when the body does not come', async () => {
    const answer = await sendRaw(port, head(CHAT, HOST, AUTH, JSON_TYPE, 'Content-Length: 100'), '{"model"');
    expectEnvelope(answer, 408, 'request_timeout');
  });

  it.each([
    ['of 8 KB', 'a'.repeat(8 * 1_024)],
    ['with spaces', 'a b'],
    ['with other letters', 'caf\u00e9'],
    ['of 257 characters', 'a'.repeat(257)],
    ['that is empty', ''],
  ])('87: replaces a request id %s', async (_name, id) => {
    const answer = await sendRaw(port, Buffer.from(head('GET /v1/models', HOST, `X-Request-Id: ${id}`), 'latin1'));
    expect(answer.status).toBe(401);
    expect(answer.headers.get('x-request-id')).toMatch(UUID);
  });

  it.each([
    ['an answer', head('GET /livez', HOST, 'X-Request-Id: mine-1')],
    ['an error', head('GET /nowhere', HOST, 'X-Request-Id: mine-1')],
    ['what the parser refuses', head(CHAT, HOST, 'X-Request-Id: mine-1', 'Transfer-Encoding: xchunked')],
  ])('echoes an acceptable request id with %s', async (_name, request) => {
    const answer = await sendRaw(port, request);
    expect(answer.headers.get('x-request-id')).toBe('mine-1');
  });

  it('88: a forged Host has no effect', async () => {
    const forged = ['X-Forwarded-Host: evil.test', 'X-Forwarded-Proto: https', 'Forwarded: host=evil.test'];
    const { body } = await sendRaw(port, head('GET /v1/capabilities', 'Host: evil.test', ...forged, AUTH));
    expect(body).not.toContain('evil');
    expect((JSON.parse(body) as { base_url: string }).base_url).toBe(fixture.edge.url);
  });

  it('89: __proto__ as a header or a JSON key has no effect', async () => {
    const body = '{"name":"x","__proto__":{"scopes":["audio"]},"constructor":{"prototype":{"polluted":1}}}';
    const headers = [
      HOST,
      `Authorization: Bearer ${await operatorToken(fixture)}`,
      JSON_TYPE,
      '__proto__: evil',
      `Content-Length: ${body.length}`,
    ];
    const answer = await sendRaw(port, head('POST /admin/v1/keys', ...headers), body);
    expect(answer.status).toBe(201);
    expect((JSON.parse(answer.body) as { scopes: string[] }).scopes).toEqual(['chat', 'conversations']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('takes a request that asks for an upgrade as a plain one', async () => {
    const answer = await sendRaw(port, head('GET /livez', HOST, 'Connection: Upgrade', 'Upgrade: websocket'));
    expect(answer.status).toBe(200);
  });

  it('refuses a large body before it is sent when the client asks first', async () => {
    const answer = await sendRaw(port, head(CHAT, HOST, AUTH, JSON_TYPE, 'Content-Length: 99999999', 'Expect: 100-continue'));
    expectEnvelope(answer, 413, 'request_too_large');
  });

  it('lives on after all of that', async () => {
    expect((await call(`${fixture.edge.url}/livez`)).status).toBe(200);
  });
});
