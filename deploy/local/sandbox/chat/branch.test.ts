import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say, sayAfter, send } from '../testing/chat.ts';
import { framesOf } from '../testing/frames.ts';
import { ADA, startTestSandbox, type TestSandbox } from '../testing/test-sandbox.ts';

interface Branch {
  current_node: string | null;
  messages: { id: string; content: string; finish_reason?: string | null }[];
}

let sandbox: TestSandbox;
let token: string;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  token = await sandbox.signIn();
});
afterAll(() => sandbox.close());

async function branch(id: string, at = sandbox): Promise<[number, Branch]> {
  const response = await at.call('GET', `/api/conversations/${id}/branch`, undefined, token);
  return [response.status, (await response.json()) as Branch];
}

const textsOf = async (id: string) => (await branch(id))[1].messages.map(({ content }) => content);
const error = (status: number, code: string) => [status, { error: { code, message: expect.any(String) } }];

describe('the current branch of a conversation', () => {
  it('is the path to the newest message, with the turns that its messages came with', async () => {
    const first = await say(sandbox, token, { text: 'say one', turn: 't1', system: 'be brief' });
    const id = first.conversationId;
    await sayAfter(sandbox, token, first, 'say two');
    const other = await sayAfter(sandbox, token, first, 'say three');
    const [status, { current_node, messages }] = await branch(id);
    expect([status, current_node]).toEqual([200, other.messageId]);
    const turn = { client_turn_id: 't1', created_at: expect.any(String) };
    expect(messages).toEqual([
      { ...turn, id: expect.any(String), role: 'system', content: 'be brief' },
      { ...turn, id: first.parentId, role: 'user', content: 'say one' },
      { ...turn, id: first.messageId, role: 'assistant', content: 'one', model: 'sandbox-1', finish_reason: 'stop' },
      expect.objectContaining({ id: other.parentId, role: 'user', content: 'say three' }),
      expect.objectContaining({ id: other.messageId, role: 'assistant', content: 'three' }),
    ]);
  });

  it('holds what was added upstream, after any message, and what was changed', async () => {
    const first = await say(sandbox, token, { text: 'say one' });
    const path = `/conversations/${first.conversationId}`;
    await sandbox.control('POST', `${path}/append`, { role: 'user', content: 'from elsewhere' });
    await sandbox.control('PUT', `${path}/messages/${first.parentId}`, { content: 'say uno' });
    await expect(textsOf(first.conversationId)).resolves.toEqual(['say uno', 'one', 'from elsewhere']);
    expect((await branch(first.conversationId))[1].messages.at(-1)).toMatchObject({ client_turn_id: null });
    await sandbox.control('POST', `${path}/append`, { role: 'assistant', content: 'eins', parent_id: first.parentId });
    await expect(textsOf(first.conversationId)).resolves.toEqual(['say uno', 'eins']);
    await expect(sandbox.control('POST', `${path}/append`, { role: 'user', content: 'x', parent_id: 'sm_unknown' })).rejects.toThrow(/409/);
    await expect(sandbox.control('PUT', `${path}/messages/sm_unknown`, { content: 'x' })).rejects.toThrow(/404/);
  });

  it('cannot be read where the conversation cannot be opened, or its chain is broken', async () => {
    const { conversationId: id } = await say(sandbox, token, { text: 'say one' });
    for (const [action, status, code] of [
      ['delete', 410, 'conversation_deleted'],
      ['lose-access', 403, 'conversation_access_lost'],
      ['break-chain', 409, 'parent_not_found'],
    ] as const) {
      await sandbox.control('POST', `/conversations/${id}/${action}`);
      expect(await branch(id)).toEqual(error(status, code));
      await sandbox.control('POST', `/conversations/${id}/restore`);
      expect((await branch(id))[0]).toBe(200);
    }
  });

  it('meets faults, but no limit on chat requests', async () => {
    const { conversationId: id } = await say(sandbox, token, { text: 'say one' });
    await sandbox.control('POST', `/accounts/${ADA.id}/faults`, { fault: 'server_error' });
    expect(await branch(id)).toEqual(error(500, 'internal_error'));
    await sandbox.control('POST', '/accounts', { ...ADA, requests_per_minute: 0 });
    expect((await branch(id))[0]).toBe(200);
    await sandbox.control('POST', '/accounts', ADA);
  });

  it('ends with a reply that is still being written, which cannot be changed', async () => {
    const slow = await startTestSandbox({ delayMs: 1_000 });
    token = await slow.signIn();
    const response = await send(slow, token, { text: 'say one two three' });
    let opening = '{}';
    for await (const { data } of framesOf(response)) {
      opening = data;
      break;
    }
    const { conversation_id: id = '', message_id: reply = '' } = JSON.parse(opening) as Record<string, string>;
    expect((await branch(id, slow))[1].messages.at(-1)).toMatchObject({ id: reply, finish_reason: null });
    await expect(slow.control('PUT', `/conversations/${id}/messages/${reply}`, { content: 'x' })).rejects.toThrow(/409/);
    await slow.close();
    token = await sandbox.signIn();
  });

  it('is the same after a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    const before = await startTestSandbox({ dataDir });
    token = await before.signIn();
    const first = await say(before, token, { text: 'say one', turn: 't1' });
    await before.control('PUT', `/conversations/${first.conversationId}/messages/${first.parentId}`, { content: 'say uno' });
    const expected = await branch(first.conversationId, before);
    await before.close();
    const after = await startTestSandbox({ dataDir });
    expect(await branch(first.conversationId, after)).toEqual(expected);
    await after.close();
    rmSync(dataDir, { recursive: true });
    token = await sandbox.signIn();
  });
});
