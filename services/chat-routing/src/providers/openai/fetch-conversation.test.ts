import { describe, expect, it } from '@jest/globals';
import { beforeEachOnOfficialStage, type OfficialStage, stateOf } from '../../../test/official-stage.ts';
import { json } from '../../../test/openai-api/server.ts';
import { toItem } from '../../../test/openai-api/store.ts';

describe('what the official API has of a conversation', () => {
  let stage: OfficialStage;
  beforeEachOnOfficialStage((entered) => (stage = entered));
  const fetch = (state: string) => stage.provider.fetchConversation?.(stage.connection, state);
  const begin = async () => {
    const state = stateOf(await stage.run('hello'));
    const { conversation } = JSON.parse(state) as { conversation: string };
    const kept = stage.api.store.conversations.get(conversation);
    if (!kept) throw new Error('there is no conversation');
    return { state, conversation, kept };
  };

  it('is nothing new after the last turn of the gateway', async () => {
    const { state } = await begin();
    await expect(fetch(state)).resolves.toEqual({ upstreamState: state, messages: [], onlyAdded: true });
  });

  it('is what was added behind it, over all pages, and the next one begins behind that', async () => {
    const { state, conversation, kept } = await begin();
    const added = Array.from({ length: 230 }, (_, at) => toItem({ role: at % 2 ? 'user' : 'assistant', content: `said ${at}` }));
    kept.items.push(...added, { id: 'ig_1', type: 'image_generation_call', status: 'completed', result: 'AA==' });
    const found = await fetch(state);
    expect(found?.messages.map(({ text }) => text)).toEqual(added.map((_, at) => `said ${at}`));
    expect(found?.messages[1]).toEqual({
      upstreamId: added[1]?.id,
      role: 'user',
      text: 'said 1',
      model: '',
      createdAt: undefined,
      clientTurnId: '',
    });
    expect(found?.upstreamState).toBe(JSON.stringify({ conversation, last: 'ig_1' }));
    await expect(fetch(found?.upstreamState ?? '')).resolves.toMatchObject({ messages: [] });
  });

  it('is not read where a turn was not completed, but has to be there', async () => {
    const { conversation } = await begin();
    const state = JSON.stringify({ conversation });
    await expect(fetch(state)).resolves.toEqual({ upstreamState: state, messages: [], onlyAdded: true });
    stage.api.store.conversations.clear();
    await expect(fetch(state)).rejects.toMatchObject({ condition: 'CONVERSATION_DELETED_UPSTREAM' });
  });

  it('is lost when the end of the last turn is gone', async () => {
    const { state, kept } = await begin();
    kept.items.pop();
    await expect(fetch(state)).rejects.toMatchObject({ condition: 'CONVERSATION_CONTINUITY_LOST' });
  });

  it('is gone when it was deleted', async () => {
    const { state } = await begin();
    stage.api.store.conversations.clear();
    await expect(fetch(state)).rejects.toMatchObject({ condition: 'CONVERSATION_DELETED_UPSTREAM' });
  });

  it('is not known while something is being written', async () => {
    const { state, kept } = await begin();
    kept.items.push({ ...toItem({ role: 'assistant', content: 'par' }), status: 'in_progress' });
    await expect(fetch(state)).rejects.toMatchObject({ condition: 'CONVERSATION_BUSY' });
  });

  it.each<[number, unknown, string]>([
    [401, { error: { message: 'secret' } }, 'ACCOUNT_REAUTH_REQUIRED'],
    [429, { error: { message: 'secret' } }, 'PROVIDER_RATE_LIMITED'],
    [500, { error: { message: 'secret' } }, 'PROVIDER_BAD_ANSWER'],
    [503, { error: { message: 'secret' } }, 'PROVIDER_UNAVAILABLE'],
    [200, { data: 'secret' }, 'PROVIDER_BAD_ANSWER'],
    [200, 'secret', 'PROVIDER_BAD_ANSWER'],
    [200, {}, 'PROVIDER_BAD_ANSWER'],
    [302, '', 'PROVIDER_BAD_ANSWER'],
  ])('%i with %j is an error', async (status, body, condition) => {
    const { state } = await begin();
    stage.api.intercept = (_call, res) => (json(res, status, body, { location: 'http://127.0.0.1:1/' }), true);
    await expect(fetch(state)).rejects.toMatchObject({ condition });
    await expect(fetch(state)).rejects.not.toThrow(/secret/);
  });

  it('is no more than it may be', async () => {
    const { state } = await begin();
    stage.api.intercept = (_call, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      const pour = () => {
        while (!res.destroyed && res.write(Buffer.alloc(1024 * 1024, 0x20)));
      };
      res.on('drain', pour);
      return (pour(), true);
    };
    await expect(fetch(state)).rejects.toMatchObject({ condition: 'PROVIDER_BAD_ANSWER' });
  });

  it('is listed with its models, those that chat alone, the newest first', async () => {
    stage.api.models = ['gpt-5', 'text-embedding-3-small', 'gpt-5-2025-08-07', 'gpt-image-1', 'gpt-5.2', 'gpt-5.2-pro', 'whisper-1'];
    const models = ['gpt-5.2', 'gpt-5', 'gpt-5.2-pro', 'gpt-5-2025-08-07'];
    await expect(stage.provider.connect(stage.connection)).resolves.toEqual({ models, secret: stage.api.key });
    stage.api.intercept = (_call, res) => (json(res, 200, {}), true);
    await expect(stage.provider.connect(stage.connection)).rejects.toMatchObject({ condition: 'PROVIDER_BAD_ANSWER' });
    stage.api.intercept = undefined;
    await expect(stage.provider.test({ ...stage.connection, secret: 'sk-wrong' })).rejects.toMatchObject({
      condition: 'ACCOUNT_REAUTH_REQUIRED',
    });
  });
});
