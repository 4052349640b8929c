import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { say, sayAfter, send } from '../testing/chat.ts';
import { ADA, startTestSandbox, type TestSandbox } from '../testing/test-sandbox.ts';

let sandbox: TestSandbox;
let token: string;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  token = await sandbox.signIn();
});
afterAll(() => sandbox.close());

async function open(id: string): Promise<unknown> {
  const response = await sandbox.call('GET', `/api/conversations/${id}`, undefined, token);
  return [response.status, await response.json()];
}

const error = (status: number, code: string) => [status, { error: { code, message: expect.any(String) } }];

describe('conversations', () => {
  it('is deleted by the turn that opened it, and no other', async () => {
    const { conversationId } = await say(sandbox, token, { text: 'say one', turn: 'opening-1' });
    const remove = (id: string) => sandbox.call('DELETE', `/api/openings/${id}`, undefined, token);
    expect((await remove('opening-2')).status).toBe(404);
    expect((await remove('opening-1')).status).toBe(204);
    expect(await open(conversationId)).toEqual(error(410, 'conversation_deleted'));
    expect((await remove('opening-1')).status).toBe(410);
  });

  it('is created empty, shown as a tree, and deleted', async () => {
    const created = await sandbox.call('POST', '/api/conversations', { model: 'sandbox-mini', title: 'Plans' }, token);
    const { id } = (await created.json()) as { id: string };
    expect([created.status, id]).toEqual([201, expect.stringMatching(/^sc_/)]);
    const first = await say(sandbox, token, {
      text: 'say one',
      in: id,
      system: 'reply in capitals',
      images: ['data:image/png;base64,AA=='],
    });
    expect(await open(id)).toEqual([
      200,
      expect.objectContaining({
        id,
        title: 'Plans',
        model: 'sandbox-mini',
        current_node: first.messageId,
        nodes: [
          expect.objectContaining({ parent_id: null, role: 'system' }),
          expect.objectContaining({ id: first.parentId, role: 'user', content: 'say one', image_count: 1 }),
          expect.objectContaining({
            id: first.messageId,
            parent_id: first.parentId,
            role: 'assistant',
            content: 'ONE\n\n1 IMAGE CAME WITH THIS MESSAGE.',
            finish_reason: 'stop',
          }),
        ],
      }),
    ]);
    expect((await sandbox.call('DELETE', `/api/conversations/${id}`, undefined, token)).status).toBe(204);
    expect(await open(id)).toEqual(error(410, 'conversation_deleted'));
  });

  it('is created by its first message, with a title from it', async () => {
    const { conversationId } = await say(sandbox, token, { text: 'where are   the keys' });
    expect((await sandbox.report()).conversations).toContainEqual({
      id: conversationId,
      title: 'where are the keys',
      status: 'active',
      nodes: 2,
    });
  });

  it('belongs to its account', async () => {
    const bob = { ...ADA, id: 'bob', api_key: 'sk-bob' };
    await sandbox.control('POST', '/accounts', bob);
    const { conversationId } = await say(sandbox, await sandbox.signIn(bob), { text: 'mine' });
    expect(await open(conversationId)).toEqual(error(404, 'conversation_not_found'));
    expect(await open('sc_unknown')).toEqual(error(404, 'conversation_not_found'));
  });

  it('branches where a message is sent after an earlier reply', async () => {
    const first = await say(sandbox, token, { text: 'remember red' });
    await sayAfter(sandbox, token, first, 'remember green');
    const branch = await sayAfter(sandbox, token, first, 'what did I ask you to remember?');
    expect(branch.text).toBe('You asked me to remember: red.');
  });

  it('refuses a parent that is not its own, and a second root', async () => {
    const [one, two] = [await say(sandbox, token, { text: 'one' }), await say(sandbox, token, { text: 'two' })];
    for (const after of [two.messageId, 'sm_unknown', null]) {
      const response = await send(sandbox, token, { text: 'x', in: one.conversationId, after });
      expect([response.status, await response.json()]).toEqual(error(409, 'parent_not_found'));
    }
    expect((await send(sandbox, token, { text: 'x', after: one.messageId })).status).toBe(409);
  });

  it('goes through what can happen to it upstream, and back', async () => {
    const first = await say(sandbox, token, { text: 'remember red' });
    const id = first.conversationId;
    const next = async (): Promise<unknown> => {
      const response = await send(sandbox, token, { text: 'go on', in: id, after: first.messageId });
      return [response.status, response.ok || (await response.json())];
    };
    await sandbox.control('POST', `/conversations/${id}/lose-access`);
    expect([await next(), await open(id)]).toEqual([error(403, 'conversation_access_lost'), error(403, 'conversation_access_lost')]);
    await sandbox.control('POST', `/conversations/${id}/delete`);
    expect([await next(), await open(id)]).toEqual([error(410, 'conversation_deleted'), error(410, 'conversation_deleted')]);
    await sandbox.control('POST', `/conversations/${id}/break-chain`);
    expect(await next()).toEqual(error(409, 'parent_not_found'));
    await sandbox.control('POST', `/conversations/${id}/restore`);
    expect(await next()).toEqual([200, true]);
  });

  it('shows what was written upstream', async () => {
    const first = await say(sandbox, token, { text: 'remember red' });
    await sandbox.control('POST', `/conversations/${first.conversationId}/append`, { role: 'user', content: 'remember green' });
    const [, tree] = (await open(first.conversationId)) as [number, { current_node: string; nodes: unknown[] }];
    expect(tree.nodes.at(-1)).toMatchObject({ id: tree.current_node, parent_id: first.messageId, content: 'remember green' });
    const reply = await say(sandbox, token, { text: 'what should you remember?', in: first.conversationId, after: tree.current_node });
    expect(reply.text).toBe('You asked me to remember: red; green.');
  });
});
