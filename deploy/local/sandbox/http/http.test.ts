import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { startSandbox } from '../server.ts';
import { startTestSandbox, type TestSandbox } from '../testing/test-sandbox.ts';
import { MAX_BODY_BYTES } from './read-json.ts';

let sandbox: TestSandbox;
let token: string;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  token = await sandbox.signIn();
});
afterAll(() => sandbox.close());

async function post(path: string, body: RequestInit['body']): Promise<unknown> {
  const response = await fetch(sandbox.url + path, { method: 'POST', body: body ?? null, headers: { authorization: `Bearer ${token}` } });
  return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
}

describe('what is no proper request', () => {
  it.each([
    ['no JSON', '{"a"', 400, 'bad_json'],
    ['no body', '', 400, 'bad_json'],
    ['bad UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'bad_json'],
    ['deep JSON', '['.repeat(200_000) + ']'.repeat(200_000), 400, 'invalid_request'],
    ['the wrong shape', '{"parent_id":null,"client_turn_id":"","messages":[]}', 400, 'invalid_request'],
    [
      'an unknown model',
      '{"parent_id":null,"client_turn_id":"t","model":"x","messages":[{"role":"user","content":""}]}',
      404,
      'model_not_found',
    ],
    ['more than the limit', Buffer.alloc(MAX_BODY_BYTES + 1, 0x20), 413, 'request_too_large'],
  ])('%s', async (_, body, status, code) => {
    expect(await post('/api/conversations/new/messages', body)).toEqual([status, code]);
  });

  it('takes a body of almost the limit', async () => {
    const images = ['x'.repeat(MAX_BODY_BYTES - 1000)];
    const body = { parent_id: null, client_turn_id: 'big', messages: [{ role: 'user', content: '', images }] };
    const response = await sandbox.call('POST', '/api/conversations/new/messages', body, token);
    expect(await response.text()).toContain('image');
  });

  it('is an unknown path or method', async () => {
    expect(await post('/api/nothing', '{}')).toEqual([404, 'not_found']);
    expect(await post('/api/conversations/%E0%A4%A/stop', '{}')).toEqual([400, 'bad_path']);
    const response = await sandbox.call('PUT', '/api/session', {});
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, DELETE']);
    expect(await post('/control/accounts', '{}')).toEqual([404, 'not_found']);
  });

  it('is not HTTP', async () => {
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    socket.write('what is this\r\n\r\n');
    expect(await text(socket)).toContain('"bad_request"');
  });
});

it('has no control endpoint unless it is asked for', async () => {
  const plain = await startSandbox();
  expect(plain.controlUrl).toBeUndefined();
  await plain.close();
});

it('tells that a port is taken', async () => {
  await expect(startSandbox({ port: Number(new URL(sandbox.url).port) })).rejects.toThrow('EADDRINUSE');
});
