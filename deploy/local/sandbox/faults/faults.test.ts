import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { say, sayAfter, send } from '../testing/chat.ts';
import { framesOf, readReply, type Frame } from '../testing/frames.ts';
import { ADA, startTestSandbox, until, type TestSandbox } from '../testing/test-sandbox.ts';

let sandbox: TestSandbox;
let token: string;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  token = await sandbox.signIn();
});
afterEach(() => sandbox.control('DELETE', '/accounts/ada/faults'));
afterAll(() => sandbox.close());

function order(fault: string, more: object = {}): Promise<void> {
  return sandbox.control('POST', '/accounts/ada/faults', { fault, ...more });
}

describe('faults that answer with an error', () => {
  it.each([
    ['rate_limited', 429, 'rate_limited'],
    ['server_error', 500, 'internal_error'],
    ['session_expired', 401, 'session_expired'],
    ['conversation_deleted', 410, 'conversation_deleted'],
    ['parent_broken', 409, 'parent_not_found'],
    ['access_lost', 403, 'conversation_access_lost'],
    ['image_refused', 503, 'image_generation_unavailable'],
    ['upgrade_required', 403, 'upgrade_required'],
  ])('%s: %d %s, once, and nothing is appended', async (fault, status, code) => {
    const before = await sandbox.report();
    await order(fault);
    const response = await send(sandbox, token, { text: 'say x' });
    expect([response.status, await response.json()]).toEqual([status, { error: { code, message: expect.any(String) } }]);
    expect((await sandbox.report()).conversations.length).toBe(before.conversations.length);
    expect((await say(sandbox, token, { text: 'say x' })).text).toBe('x');
  });

  it('tells when to come back', async () => {
    await order('rate_limited', { count: 2 });
    await order('rate_limited', { delay_ms: 1500 });
    const waits = [];
    for (let request = 0; request < 3; request++) waits.push((await send(sandbox, token, { text: 'x' })).headers.get('retry-after'));
    expect(waits).toEqual(['30', '30', '2']);
  });

  it('bad_gateway_html', async () => {
    await order('bad_gateway_html');
    const response = await send(sandbox, token, { text: 'x' });
    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(await response.text()).toContain('<html>');
  });

  it('garbage', async () => {
    await order('garbage');
    const response = await send(sandbox, token, { text: 'x' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const bytes = await response.arrayBuffer();
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow();
  });
});

describe('faults of time', () => {
  it('slow_first_byte answers late, and nothing at all to a client that has left', async () => {
    await order('slow_first_byte', { delay_ms: 20 });
    expect((await say(sandbox, token, { text: 'say x' })).text).toBe('x');
    const before = await sandbox.report();
    await order('slow_first_byte', { delay_ms: 3_600_000 });
    const gone = new AbortController();
    const response = send(sandbox, token, { text: 'x' }, gone.signal);
    await until(async () => (await sandbox.report()).open_streams === 1);
    gone.abort();
    await expect(response).rejects.toThrow();
    await until(async () => (await sandbox.report()).open_streams === 0);
    expect(await sandbox.report()).toMatchObject({ turns_accepted: before.turns_accepted, conversations: before.conversations });
  });

  it('silent never answers', async () => {
    const before = await sandbox.report();
    await order('silent');
    const gone = new AbortController();
    const response = send(sandbox, token, { text: 'x' }, gone.signal);
    await until(async () => (await sandbox.report()).open_streams === 1);
    gone.abort();
    await expect(response).rejects.toThrow();
    await until(async () => (await sandbox.report()).aborted_connections === before.aborted_connections + 1);
    expect((await sandbox.report()).turns_accepted).toBe(before.turns_accepted);
  });

  it('half_open falls silent with the socket open, and the reply is whole upstream', async () => {
    await order('half_open', { after_chunks: 2 });
    const gone = new AbortController();
    const response = await send(sandbox, token, { text: 'count to 9', turn: 'half' }, gone.signal);
    const frames = framesOf(response);
    const events = [await frames.next(), await frames.next(), await frames.next()].map(({ value }) => (value as Frame).event);
    expect(events).toEqual(['accepted', 'delta', 'delta']);
    expect((await sandbox.report()).open_streams).toBe(1);
    gone.abort();
    await expect(frames.next()).rejects.toThrow();
    expect((await say(sandbox, token, { text: 'x', turn: 'half' })).text).toBe('1 2 3 4 5 6 7 8 9');
  });
});

describe('orders', () => {
  it('can be for one conversation', async () => {
    const one = await say(sandbox, token, { text: 'say a' });
    await order('server_error', { conversation_id: one.conversationId });
    const other = await say(sandbox, token, { text: 'say b' });
    expect((await send(sandbox, token, { text: 'x', in: one.conversationId, after: one.messageId })).status).toBe(500);
    expect((await sayAfter(sandbox, token, one, 'say c')).text).toBe('c');
    expect(other.end).toBe('done');
  });

  it('stay until cleared with a count of -1, and are shown', async () => {
    await order('server_error', { count: -1 });
    for (let request = 0; request < 3; request++) expect((await send(sandbox, token, { text: 'x' })).status).toBe(500);
    expect((await sandbox.report()).faults).toEqual([{ fault: 'server_error', count: -1 }]);
    await sandbox.control('DELETE', '/accounts/ada/faults');
    expect((await readReply(await send(sandbox, token, { text: 'say ok' }))).text).toBe('ok');
  });

  it('must make sense', async () => {
    await expect(order('nonsense')).rejects.toThrow('400');
    await expect(order('cut', { count: 0 })).rejects.toThrow('400');
    await expect(sandbox.control('POST', '/accounts/unknown/faults', { fault: 'cut' })).rejects.toThrow('404');
  });
});

it('limits the chat requests of an account', async () => {
  const eve = { ...ADA, id: 'eve', api_key: 'sk-eve', requests_per_minute: 2 };
  await sandbox.control('POST', '/accounts', eve);
  const session = await sandbox.signIn(eve);
  const answers = [];
  for (let request = 0; request < 3; request++) answers.push(await send(sandbox, session, { text: 'x' }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await sandbox.call('GET', '/api/me', undefined, session)).status).toBe(200);
});
