import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type HistoryMessage } from '@parley/protos/conversation/v1/conversation';
import { beforeEachOnOfficialStage, type OfficialStage, stateOf } from '../../../test/official-stage.ts';
import { type UpstreamTurn } from '../upstream-turn.ts';

const history = (...said: [role: string, text: string][]): HistoryMessage[] =>
  said.map(([role, text], at) => ({ id: String(at), role, text, parts: [], status: 'completed', files: [] }));

describe('a turn at the official API', () => {
  let stage: OfficialStage;
  beforeEachOnOfficialStage((entered) => (stage = entered));
  const state = (sink: Parameters<typeof stateOf>[0]) =>
    JSON.parse(stateOf(sink)) as { conversation: string; last?: string; replaced?: string };
  const bodies = () => stage.api.callsTo('POST', '/responses').map(({ body }) => body as Record<string, unknown>);

  it('begins a conversation upstream and reports its state', async () => {
    const sink = await stage.run('hello there');
    expect(sink).toMatchObject({ text: 'You said: hello there', acceptances: 1 });
    expect(sink.outcomes).toMatchObject([{ finishReason: 'stop', usage: { tokensIn: 5, tokensOut: 4 } }]);
    const { conversation, last } = state(sink);
    expect(stage.api.store.conversations.get(conversation)?.items.at(-1)).toMatchObject({ id: last, role: 'assistant' });
    expect(bodies()).toMatchObject([{ model: 'gpt-5', conversation, background: true, store: true, metadata: { parley_turn: 'turn-1' } }]);
    expect(stage.api.calls[0]?.headers).toMatchObject({ authorization: `Bearer ${stage.api.key}` });
  });

  it('continues from the state of the conversation with the new messages alone, and reads no history', async () => {
    const upstreamState = stateOf(await stage.run('the sky is green'));
    const never = () => {
      throw new Error('not for a stateful upstream');
    };
    const second = await stage.run('what did I say first?', { upstreamState, history: never });
    expect(second.text).toBe('You said: the sky is green');
    expect(bodies()[1]?.input).toEqual([{ role: 'user', content: 'what did I say first?' }]);
    expect(state(second).conversation).toBe((JSON.parse(upstreamState) as { conversation: string }).conversation);
  });

  it('begins with all that the record has where the upstream knows nothing', async () => {
    const sink = await stage.run('what did I say first?', {
      history: () => history(['user', 'one'], ['assistant', 'two'], ['system', 'three']),
    });
    expect(sink.text).toBe('You said: one');
    expect(bodies()[0]?.input).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'two' },
      { role: 'system' },
      { role: 'user' },
    ]);
  });

  it('passes pictures on that the request has', async () => {
    const parts: UpstreamTurn['messages'][number]['parts'] = [
      { content: { $case: 'text', value: 'what is in the picture?' } },
      { content: { $case: 'imageUrl', value: 'data:image/png;base64,AA==' } },
    ];
    const sink = await stage.run('', { messages: [{ role: 'user', text: 'what is in the picture?', parts }] });
    expect(sink.text).toBe('I see 1 image.');
  });

  it('asks again without tools where a model takes none, and remembers', async () => {
    const first = await stage.run('draw a circle', { model: 'gpt-5-mini' });
    expect(first).toMatchObject({ text: 'You said: draw a circle', artifacts: [] });
    await stage.run('hello', { model: 'gpt-5-mini', upstreamState: stateOf(first) });
    expect(bodies().map(({ tools }) => (tools as unknown[]).length)).toEqual([2, 0, 0]);
  });

  it.each(['garbage', '{}', '{"conversation":""}'])('cannot continue from %j', (upstreamState) => {
    expect(() => stage.start('x', { upstreamState })).toThrow(expect.objectContaining({ condition: 'CONVERSATION_CONTINUITY_LOST' }));
  });

  it('is refused with a time to wait while another one is answered there', async () => {
    const upstreamState = stateOf(await stage.run('hello'));
    stage.api.store.conversations.forEach((one) => (one.isLocked = true));
    const sink = await stage.run('hello', { upstreamState });
    expect(sink.outcomes).toMatchObject([{ error: { condition: 'CONVERSATION_BUSY', retryAfterMs: 2_000 }, upstreamState }]);
  });

  describe('finds what is gone', () => {
    const goneIn = async (over: Partial<UpstreamTurn>, spoil: () => void) => {
      const upstreamState = stateOf(await stage.run('hello', over));
      spoil();
      return stage.run('hello', { ...over, upstreamState });
    };
    const project = (upstreamRef: string): UpstreamTurn['project'] => ({
      ...{ id: 'p', upstreamRef, name: 'p', instructions: '', memoryPolicy: 'project_only', sources: async () => [] },
    });

    it('the conversation', async () => {
      const { conversations } = stage.api.store;
      const sink = await goneIn({}, () => conversations.clear());
      expect(sink.outcomes).toMatchObject([{ error: { condition: 'CONVERSATION_DELETED_UPSTREAM' } }]);
    });

    it('the project', async () => {
      const made = await stage.provider.projects?.create(stage.connection, { name: 'p', instructions: '', memoryPolicy: 'project_only' });
      const { vectorStores } = stage.api.store;
      const sink = await goneIn({ project: project(made?.upstreamRef ?? '') }, () => vectorStores.clear());
      expect(sink.outcomes).toMatchObject([{ error: { condition: 'CONVERSATION_PROJECT_UNAVAILABLE' } }]);
    });

    it('a file', async () => {
      const file = {
        fileId: 'f',
        name: 'a.txt',
        mimeType: 'text/plain',
        sizeBytes: 1,
        upstreamRef: 'file_gone',
        prepared: () => Promise.reject(new Error()),
      };
      const sink = await stage.run('hello', { upstreamState: stateOf(await stage.run('hello')), files: [file] });
      expect(sink.outcomes).toMatchObject([{ error: { condition: 'ASSET_NOT_FOUND' } }]);
    });

    it('the model', async () => {
      const sink = await stage.run('hello', { upstreamState: stateOf(await stage.run('hello')), model: 'gpt-9' });
      expect(sink.outcomes).toMatchObject([{ error: { condition: 'PROVIDER_MODEL_NOT_FOUND', param: 'model' } }]);
    });
  });

  describe('that did not come to its end', () => {
    it('is stopped upstream, and sent again with the next one in another conversation', async () => {
      const before = stateOf(await stage.run('the sky is green'));
      stage.api.pace.pieceMs = 20;
      const { sink, hold } = stage.start('count to 500', { upstreamState: before });
      await waitFor(() => sink.text.startsWith('1 2 '));
      hold.stop();
      await waitFor(() => sink.outcomes.length > 0);
      expect(sink.outcomes).toMatchObject([{ finishReason: 'stop' }]);
      expect(state(sink)).toEqual({ conversation: (JSON.parse(before) as { conversation: string }).conversation });
      expect([...stage.api.store.responses.values()].at(-1)?.response.status).toBe('cancelled');
      stage.api.pace.pieceMs = 0;
      const next = await stage.run('what did you say?', {
        upstreamState: stateOf(sink),
        history: async () => history(['user', 'the sky is green'], ['assistant', 'no'], ['user', 'count to 500'], ['assistant', '1 2 3']),
      });
      expect(next.text).toBe('I said: 1 2 3');
      expect(state(next)).toMatchObject({
        conversation: expect.not.stringMatching(state(sink).conversation),
        replaced: state(sink).conversation,
      });
      // No turn goes back to it once the next turn begins behind the new one.
      expect(stage.api.store.conversations.has(state(sink).conversation)).toBe(true);
      const last = await stage.run('hello', { upstreamState: stateOf(next) });
      expect(state(last)).toEqual({ conversation: state(next).conversation, last: expect.any(String) });
      await waitFor(() => !stage.api.store.conversations.has(state(sink).conversation));
    });

    it('is not posted twice when it is repeated', async () => {
      const before = stateOf(await stage.run('the sky is green'));
      // Its process died: the record knows only where the conversation stood before it.
      await stage.run('count to 3', { upstreamState: before });
      const again = await stage.run('count to 3', {
        upstreamState: before,
        repeats: true,
        history: () => history(['user', 'the sky is green'], ['assistant', 'it is not']),
      });
      expect(again.text).toBe('1 2 3');
      const { items = [] } = stage.api.store.conversations.get(state(again).conversation) ?? {};
      expect(items.filter((item) => item.type === 'message' && item.role === 'user')).toHaveLength(2);
      const third = await stage.run('what did I say first?', { upstreamState: stateOf(again), repeats: true });
      expect(third.text).toBe('You said: the sky is green');
      expect(state(third).conversation).toBe(state(again).conversation);
    });

    it('does not hide that its conversation was deleted', async () => {
      const sink = await stage.run('hello', { upstreamState: JSON.stringify({ conversation: 'conv_gone' }) });
      expect(sink.outcomes).toMatchObject([{ error: { condition: 'CONVERSATION_DELETED_UPSTREAM' } }]);
      expect(stage.api.callsTo('POST', '/')).toEqual([]);
    });

    it('leaves no conversation behind that was begun for it', async () => {
      const sink = await stage.run('hello', { model: 'gpt-9' });
      expect(sink.outcomes).toMatchObject([{ error: { condition: 'PROVIDER_MODEL_NOT_FOUND' }, upstreamState: '' }]);
      await waitFor(() => stage.api.store.conversations.size === 0);
    });

    it('is cancelled when its stream breaks', async () => {
      stage.api.pace.pieceMs = 20;
      stage.api.pace.instead = ({ type }, res) => type === 'response.output_text.delta' && (res.socket?.resetAndDestroy(), true);
      const sink = await stage.run('count to 500');
      expect(sink.outcomes).toMatchObject([{ error: { condition: 'PROVIDER_UNAVAILABLE' } }]);
      expect(state(sink)).toEqual({ conversation: expect.any(String) });
      await waitFor(() => [...stage.api.store.responses.values()][0]?.response.status === 'cancelled');
    });
  });

  it('is stopped as soon as the upstream has begun it', async () => {
    stage.api.pace.pieceMs = 20;
    const { sink, hold } = stage.start('count to 500', { upstreamState: stateOf(await stage.run('hi')) });
    hold.stop();
    await waitFor(() => sink.outcomes.length > 0);
    expect(sink).toMatchObject({ acceptances: 0, outcomes: [{ finishReason: 'stop' }] });
    expect(stage.api.callsTo('POST', '/responses/')).toHaveLength(1);
  });

  it('is never begun when it is stopped before', async () => {
    const { sink, hold } = stage.start('hello');
    hold.stop();
    expect(sink.outcomes).toMatchObject([{ finishReason: 'stop', upstreamState: '' }]);
    await waitFor(() => stage.api.callsTo('DELETE', '/conversations/').length === stage.api.callsTo('POST', '/conversations').length);
    expect(bodies()).toEqual([]);
  });
});
