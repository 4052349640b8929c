import { describe, expect, it } from '@jest/globals';
import { beforeEachOnStage } from '../../../test/provider-stage.ts';
import { type HttpPools } from '../http-pools.ts';
import { type ResponseScript, type TestUpstream } from '../testing/upstream.ts';
import { sandbox } from './provider.ts';

const STATE = JSON.stringify({ conversation: 'c/1', message: 'm1' });
const MESSAGE = { id: 'm1', role: 'user', content: 'Hello', client_turn_id: 't1', created_at: '2026-01-01T00:00:00.000Z' };
const REPLY = { ...MESSAGE, id: 'm2', role: 'assistant', content: 'Hi', model: 's1', finish_reason: 'stop' };
const ADDED = { ...MESSAGE, id: 'm3', content: 'More', client_turn_id: null };

const json =
  (body: unknown, status = 200): ResponseScript =>
  ({ res }) =>
    void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const branch = (...messages: object[]) => json({ current_node: 'm3', messages });
const refusing = (status: number, code: string) => json({ error: { code, message: 'secret words' } }, status);

describe('what the sandbox has of a conversation', () => {
  let upstream: TestUpstream;
  let pools: HttpPools;
  beforeEachOnStage((stage) => ({ upstream, pools } = stage));
  const fetch = (script: ResponseScript, state = STATE) => {
    upstream.script = script;
    return sandbox(pools).fetchConversation?.({ id: 'a', baseUrl: upstream.url, account: 'someone', secret: 'sk-1' }, state);
  };

  it('is its current branch and the state for the next turn', async () => {
    const createdAt = new Date(MESSAGE.created_at);
    await expect(fetch(branch(MESSAGE, REPLY, ADDED))).resolves.toEqual({
      upstreamState: JSON.stringify({ conversation: 'c/1', message: 'm3' }),
      messages: [
        { upstreamId: 'm1', role: 'user', text: 'Hello', model: '', createdAt, clientTurnId: 't1' },
        { upstreamId: 'm2', role: 'assistant', text: 'Hi', model: 's1', createdAt, clientTurnId: 't1' },
        { upstreamId: 'm3', role: 'user', text: 'More', model: '', createdAt, clientTurnId: '' },
      ],
    });
    expect(upstream.received[0]).toMatchObject({
      method: 'GET',
      path: '/api/conversations/c%2F1/branch',
      headers: { authorization: 'Bearer sk-1' },
    });
  });

  it('keeps its state when there is no message', async () => {
    await expect(fetch(json({ current_node: null, messages: [] }))).resolves.toEqual({ upstreamState: '', messages: [] });
  });

  it('may be longer than other answers', async () => {
    const text = 'x'.repeat(5 * 1024 * 1024);
    await expect(fetch(branch({ ...MESSAGE, content: text }))).resolves.toMatchObject({ messages: [{ text }] });
  });

  it.each<[string, ResponseScript, string]>([
    ['a reply that is being written', branch(MESSAGE, { ...REPLY, finish_reason: null }), 'CONVERSATION_BUSY'],
    ['an expired session', refusing(401, 'session_expired'), 'ACCOUNT_REAUTH_REQUIRED'],
    ['an unknown conversation', refusing(404, 'conversation_not_found'), 'CONVERSATION_DELETED_UPSTREAM'],
    ['a deleted conversation', refusing(410, 'conversation_deleted'), 'CONVERSATION_DELETED_UPSTREAM'],
    ['lost access', refusing(403, 'conversation_access_lost'), 'CONVERSATION_ACCESS_LOST'],
    ['a broken chain', refusing(409, 'parent_not_found'), 'CONVERSATION_CONTINUITY_LOST'],
    ['a limit', refusing(429, 'rate_limited'), 'PROVIDER_RATE_LIMITED'],
    ['500', refusing(500, 'internal'), 'PROVIDER_BAD_ANSWER'],
    ['503', refusing(503, 'internal'), 'PROVIDER_UNAVAILABLE'],
    ['a cut', ({ res }) => void res.destroy(), 'PROVIDER_UNAVAILABLE'],
    ['HTML', ({ res }) => void res.writeHead(200).end('<html>'), 'PROVIDER_BAD_ANSWER'],
    ['something else', json({ current_node: 1, messages: 'none' }), 'PROVIDER_BAD_ANSWER'],
    ['a role of tomorrow', branch({ ...MESSAGE, role: 'wizard' }), 'PROVIDER_BAD_ANSWER'],
  ])('says what %s means, in its own words', async (_name, script, condition) => {
    const failure = fetch(script);
    await expect(failure).rejects.toMatchObject({ condition });
    await expect(failure).rejects.not.toThrow(/secret/);
  });

  it('is refused with a state that is not valid', async () => {
    await expect(fetch(branch(), 'garbage')).rejects.toMatchObject({ condition: 'CONVERSATION_CONTINUITY_LOST' });
    expect(upstream.received).toEqual([]);
  });
});
