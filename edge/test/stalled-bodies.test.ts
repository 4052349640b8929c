import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { API_KEY, type TestFixture, startFixture } from './harness.ts';
import { head } from './raw-http.ts';

const JSON_BODY = ['Host: x', 'Content-Type: application/json', 'Content-Length: 100'];
const FORM_BODY = ['Host: x', 'Content-Type: multipart/form-data; boundary=b', 'Content-Length: 100'];
const AUTH = `Authorization: Bearer ${API_KEY}`;

describe('a body that stalls', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture({ bodyIdleMs: 200 });
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  /** Sends a beginning, and reads until the fixture hangs up. */
  async function answered(...parts: string[]): Promise<string> {
    const socket = open();
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    for (const part of parts) socket.write(part);
    await once(socket, 'close');
    return text;
  }
  const open = ({ edge } = fixture): Socket => connect({ host: '127.0.0.1', port: edge.port }).on('error', () => undefined);

  it.each([
    ['a turn', head('POST /v1/chat/completions', AUTH, ...JSON_BODY)],
    ['any other JSON', head('POST /v1/conversations', AUTH, ...JSON_BODY)],
    ['a file', head('POST /v1/audio/transcriptions', AUTH, ...FORM_BODY)],
  ])('is answered with 408 and its connection is closed: %s', async (_name, start) => {
    const text = await answered(start, '{"a":');
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
  });

  it.each([
    ['without a key', head('POST /v1/chat/completions', ...JSON_BODY), 401],
    ['that is too large', head('POST /v1/conversations', AUTH, ...JSON_BODY.slice(0, 2), 'Content-Length: 2000000'), 413],
    ['to no path', head('POST /v1/nothing', AUTH, ...JSON_BODY), 404],
  ])('does not keep the connection of a request %s', async (_name, start, status) => {
    expect(await answered(start, '{"a":')).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('keeps the connection of a request that was refused and is sent to its end', async () => {
    await using patient = await startFixture({ bodyIdleMs: 60_000 });
    const socket = open(patient).setEncoding('latin1');
    socket.write(head('POST /v1/chat/completions', ...JSON_BODY));
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 401 /);
    socket.write(`${'x'.repeat(100)}${head('GET /livez', 'Host: x')}`);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});
