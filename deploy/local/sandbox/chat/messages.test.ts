import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { say, sayAfter, send } from '../testing/chat.ts';
import { framesOf, readReply } from '../testing/frames.ts';
import { startTestSandbox, until, type TestSandbox } from '../testing/test-sandbox.ts';

let sandbox: TestSandbox;
let token: string;
beforeEach(async () => {
  sandbox = await startTestSandbox();
  token = await sandbox.signIn();
});
afterEach(() => sandbox.close());

/** Starts a reply that does not end by itself within a test, and reads it to its third delta. */
async function startEndless(
  turn: string,
): Promise<{ ids: { conversation_id: string; message_id: string }; text: string; leave: () => void }> {
  await sandbox.control('PUT', '/pacing', { delay_ms: 2 });
  const gone = new AbortController();
  const response = await send(sandbox, token, { text: 'count to 10000', turn }, gone.signal);
  let ids = { conversation_id: '', message_id: '' };
  let text = '';
  for await (const { event, data } of framesOf(response)) {
    if (event === 'accepted') ids = JSON.parse(data) as typeof ids;
    if (event === 'delta') text += (JSON.parse(data) as { text: string }).text;
    if (text === '1 2 3') break;
  }
  return { ids, text, leave: () => gone.abort() };
}

async function contentOf(conversation: string): Promise<unknown> {
  const response = await sandbox.call('GET', `/api/conversations/${conversation}`, undefined, token);
  return ((await response.json()) as { nodes: unknown[] }).nodes.at(-1);
}

describe('a reply', () => {
  it('comes as accepted, deltas of a word each, done', async () => {
    const first = await say(sandbox, token, { text: 'remember a blue door' });
    expect(first).toMatchObject({
      text: 'I will remember: a blue door.',
      deltas: 6,
      end: 'done',
      last: { message_id: first.messageId, finish_reason: 'stop', usage: { input_tokens: 4, output_tokens: 8 } },
    });
    const second = await sayAfter(sandbox, token, first, 'what did I ask you to remember?');
    expect(second).toMatchObject({ conversationId: first.conversationId, text: 'You asked me to remember: a blue door.' });
    expect(second.last).toMatchObject({ usage: { input_tokens: 4 + 8 + 8 } });
  });

  it('is accepted before its first word', async () => {
    await sandbox.control('PUT', '/pacing', { delay_ms: 3_600_000 });
    const response = await send(sandbox, token, { text: 'hello' });
    const first = await framesOf(response).next();
    expect(first.value).toMatchObject({ event: 'accepted' });
  });

  it('can be long, and read slowly', async () => {
    const reply = await say(sandbox, token, { text: 'count to 10000' });
    expect([reply.deltas, reply.text.endsWith('9999 10000'), reply.end]).toEqual([10_000, true, 'done']);
  });

  it('keeps what was produced when it is stopped', async () => {
    const { ids } = await startEndless('t1');
    const path = `/api/conversations/${ids.conversation_id}/stop`;
    expect((await sandbox.call('POST', path, { message_id: ids.message_id }, token)).status).toBe(204);
    expect(await contentOf(ids.conversation_id)).toMatchObject({ finish_reason: 'stopped', content: expect.stringMatching(/^1 2 3/) });
    expect((await sandbox.call('POST', path, { message_id: ids.message_id }, token)).status).toBe(204);
    expect((await sandbox.call('POST', path, { message_id: 'sm_unknown' }, token)).status).toBe(404);
    const again = await say(sandbox, token, { text: 'count to 10000', turn: 't1' });
    expect(again.last).toMatchObject({ finish_reason: 'stopped' });
  });

  it('goes on when its client leaves, and shows how far it is', async () => {
    const { ids, leave } = await startEndless('t1');
    leave();
    await until(async () => (await sandbox.report()).aborted_connections === 1);
    expect(await sandbox.report()).toMatchObject({ open_streams: 0, turns_accepted: 1, last_abort_at: expect.any(String) });
    expect(await contentOf(ids.conversation_id)).toMatchObject({ finish_reason: null, content: expect.stringMatching(/^1 2 3/) });
    await sandbox.control('PUT', '/pacing', { delay_ms: 0 });
    await until(async () => ((await contentOf(ids.conversation_id)) as { finish_reason: unknown }).finish_reason === 'stop');
    expect(await contentOf(ids.conversation_id)).toMatchObject({ content: expect.stringMatching(/ 10000$/) });
  });
});

describe('a client turn id that was seen before', () => {
  it('answers the recorded reply as one delta and appends nothing', async () => {
    const first = await say(sandbox, token, { text: 'say it once', turn: 't1' });
    const again = await say(sandbox, token, { text: 'say it once', turn: 't1' });
    expect(again).toEqual({ ...first, deltas: 1 });
    const inside = await say(sandbox, token, { text: 'say it once', turn: 't1', in: first.conversationId });
    expect(inside).toEqual(again);
    expect(await sandbox.report()).toMatchObject({ turns_accepted: 1, conversations: [{ nodes: 2 }] });
  });

  it('is known in its conversation only', async () => {
    const [one, two] = [await say(sandbox, token, { text: 'say a' }), await say(sandbox, token, { text: 'say b' })];
    for (const reply of [one, two]) {
      const next = await say(sandbox, token, { text: 'say c', turn: 't1', in: reply.conversationId, after: reply.messageId });
      expect(next.conversationId).toBe(reply.conversationId);
    }
    expect(await sandbox.report()).toMatchObject({ conversations: [{ nodes: 4 }, { nodes: 4 }] });
  });

  it('attaches to the reply that is still running, from its start', async () => {
    const { ids, leave } = await startEndless('t1');
    const attached = await send(sandbox, token, { text: 'count to 10000', turn: 't1' });
    leave();
    await sandbox.control('PUT', '/pacing', { delay_ms: 0 });
    const reply = await readReply(attached);
    expect([reply.conversationId, reply.messageId]).toEqual([ids.conversation_id, ids.message_id]);
    expect([reply.text.startsWith('1 2 3'), reply.text.split(' ').length, reply.end]).toEqual([true, 10_000, 'done']);
    expect(await sandbox.report()).toMatchObject({ turns_accepted: 1, conversations: [{ nodes: 2 }] });
  });

  it('gets another reply under the same messages when it is sent again and the reply broke off', async () => {
    await sandbox.control('POST', '/accounts/ada/faults', { fault: 'error_mid_stream', after_chunks: 2 });
    const broken = await say(sandbox, token, { text: 'count to 5', turn: 't1' });
    expect(broken.end).toBe('error');
    expect(await say(sandbox, token, { text: 'count to 5', turn: 't1' })).toMatchObject({ end: 'error', text: broken.text });
    const whole = await say(sandbox, token, { text: 'count to 5', turn: 't1', again: true });
    expect(whole).toMatchObject({ end: 'done', text: '1 2 3 4 5', conversationId: broken.conversationId });
    const again = await say(sandbox, token, { text: 'count to 5', turn: 't1', again: true });
    expect(again).toMatchObject({ end: 'done', text: '1 2 3 4 5', messageId: whole.messageId });
    expect(await sandbox.report()).toMatchObject({ turns_accepted: 1, conversations: [{ nodes: 3 }] });
    const next = await sayAfter(sandbox, token, whole, 'how many messages?');
    expect(next.text).toContain('3');
  });

  it('is appended when it is sent again and was not seen', async () => {
    expect(await say(sandbox, token, { text: 'say it once', turn: 't1', again: true })).toMatchObject({ end: 'done', text: 'it once' });
  });
});
