import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { beforeEachOnStage } from '../../../test/provider-stage.ts';
import { type HttpPools } from '../http-pools.ts';
import { RecordingSink, upstreamTurn } from '../testing/sink.ts';
import { type ReceivedRequest, type ResponseScript, stream, streaming, type TestUpstream } from '../testing/upstream.ts';
import { type UpstreamTurn } from '../upstream-turn.ts';
import { sandbox } from './provider.ts';

const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const ACCEPTED = event('accepted', { conversation_id: 'c/1', message_id: 'm1' });
const DONE = event('done', { message_id: 'm2', finish_reason: 'stop', usage: { input_tokens: 3, output_tokens: 4 } });
const delta = (text: string) => event('delta', { text });
const STATE = { conversation: 'c/1', message: 'm1' };

describe('the sandbox adapter', () => {
  let upstream: TestUpstream;
  let pools: HttpPools;
  beforeEachOnStage((stage) => ({ upstream, pools } = stage));

  function start(script: ResponseScript, over: Partial<UpstreamTurn> = {}) {
    upstream.script = script;
    const sink = new RecordingSink();
    const hold = sandbox(pools).chat(upstreamTurn(upstream.url, over), sink);
    return { sink, hold };
  }

  async function run(script: ResponseScript, over: Partial<UpstreamTurn> = {}): Promise<RecordingSink> {
    const { sink } = start(script, over);
    await waitFor(() => sink.outcomes.length > 0);
    return sink;
  }

  const refusing = (status: number, code: string, headers = {}): ResponseScript => {
    return ({ res }) =>
      void res
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ error: { code, message: 'secret words' } }));
  };

  it('begins a conversation and reports its state', async () => {
    const sink = await run(streaming(ACCEPTED, delta('Hel') + delta('lo'), DONE));
    expect(sink).toMatchObject({ text: 'Hello', acceptances: 1, batches: 1 });
    expect(sink.outcomes).toEqual([
      { finishReason: 'stop', upstreamState: JSON.stringify({ ...STATE, message: 'm2' }), usage: { tokensIn: 3, tokensOut: 4 } },
    ]);
    expect(upstream.received[0]).toMatchObject({
      path: '/api/conversations/new/messages',
      headers: { authorization: 'Bearer sk-1' },
      body: { parent_id: null, client_turn_id: 'turn-1', model: 'm1', messages: [{ role: 'user', content: 'Hello', images: [] }] },
    });
  });

  it('continues from the state of the conversation, and reads no history', async () => {
    const history = () => {
      throw new Error('not for a stateful upstream');
    };
    await run(streaming(ACCEPTED, DONE), { upstreamState: JSON.stringify(STATE), history });
    expect(upstream.received[0]).toMatchObject({ path: '/api/conversations/c%2F1/messages', body: { parent_id: 'm1' } });
  });

  it.each(['garbage', '{}', '{"conversation":"\\ud800","message":1}'])('cannot continue from %j', (upstreamState) => {
    expect(() => start(streaming(), { upstreamState })).toThrow(expect.objectContaining({ condition: 'CONVERSATION_CONTINUITY_LOST' }));
  });

  it.each<[string, ResponseScript, object]>([
    ['an expired session', refusing(401, 'session_expired'), { condition: 'ACCOUNT_REAUTH_REQUIRED' }],
    ['a deleted conversation', refusing(404, 'conversation_deleted'), { condition: 'CONVERSATION_DELETED_UPSTREAM' }],
    ['lost access', refusing(403, 'conversation_access_lost'), { condition: 'CONVERSATION_ACCESS_LOST' }],
    ['a broken chain', refusing(409, 'parent_not_found'), { condition: 'CONVERSATION_CONTINUITY_LOST' }],
    ['no images', refusing(403, 'image_generation_unavailable'), { condition: 'IMAGE_GENERATION_UNAVAILABLE' }],
    ['a limit', refusing(429, 'rate_limited', { 'retry-after': '30' }), { condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: 30_000 }],
    ['a code of tomorrow', refusing(400, 'of_tomorrow'), { condition: 'PROVIDER_REJECTED_REQUEST' }],
    ['500', refusing(500, 'internal'), { condition: 'PROVIDER_BAD_ANSWER' }],
    ['a huge refusal', ({ res }) => void res.writeHead(500).end('x'.repeat(300_000)), { condition: 'PROVIDER_BAD_ANSWER' }],
    ['HTML', ({ res }) => void res.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), { condition: 'PROVIDER_BAD_ANSWER' }],
    ['an error event', streaming(event('error', { code: 'session_expired' })), { condition: 'ACCOUNT_REAUTH_REQUIRED' }],
    ['an unknown error event', streaming(event('error', { code: 'boom' })), { condition: 'PROVIDER_UNAVAILABLE' }],
    ['garbage', streaming('event: accepted\ndata: garbage\n\n'), { condition: 'PROVIDER_BAD_ANSWER' }],
    ['an answer before acceptance', streaming(delta('x')), { condition: 'PROVIDER_BAD_ANSWER' }],
    ['an end before acceptance', streaming(DONE), { condition: 'PROVIDER_BAD_ANSWER' }],
    ['an end of the stream', streaming(': ping\n\n'), { condition: 'PROVIDER_BAD_ANSWER' }],
  ])('says what %s means, in its own words', async (_name, script, expected) => {
    const sink = await run(script, { upstreamState: JSON.stringify(STATE) });
    expect(sink).toMatchObject({ acceptances: 0, text: '' });
    expect(sink.outcomes).toHaveLength(1);
    const [outcome] = sink.outcomes;
    expect(outcome && 'error' in outcome && outcome.error).toMatchObject(expected);
    expect(outcome && 'error' in outcome && outcome.error.message).not.toContain('secret');
    expect(outcome).toMatchObject({ upstreamState: JSON.stringify(STATE) });
  });

  it.each<[string, ResponseScript, string]>([
    [
      'a cut',
      async ({ res }) => (stream(res), res.write(ACCEPTED + delta('part')), setTimeout(() => res.socket?.resetAndDestroy(), 50), undefined),
      'PROVIDER_UNAVAILABLE',
    ],
    ['an end', streaming(ACCEPTED, delta('part')), 'PROVIDER_UNAVAILABLE'],
    ['garbage', streaming(ACCEPTED, delta('part'), 'event: delta\ndata: null\n\n'), 'PROVIDER_BAD_ANSWER'],
    ['bad UTF-8', streaming(ACCEPTED, delta('part'), Buffer.from([0x64, 0xff, 0xfe])), 'PROVIDER_BAD_ANSWER'],
    ['an error in the same bytes', streaming(ACCEPTED + delta('part') + event('error', { code: 'rate_limited' })), 'PROVIDER_RATE_LIMITED'],
  ])('keeps text and place when %s comes in the middle', async (_name, script, condition) => {
    const sink = await run(script);
    expect(sink).toMatchObject({ acceptances: 1, text: 'part' });
    expect(sink.outcomes).toMatchObject([{ error: { condition }, upstreamState: JSON.stringify(STATE) }]);
  });

  it('gives a silent sandbox up', async () => {
    const sink = await run(({ res }) => (stream(res), void res.write(ACCEPTED)), { deadlines: { acceptanceMs: 1_000, silenceMs: 100 } });
    expect(sink.outcomes).toMatchObject([{ error: { condition: 'PROVIDER_TIMEOUT' } }]);
    await waitFor(() => upstream.received[0]?.isClosed);
  });

  describe('files', () => {
    const file = (id: string) => ({
      ...{ fileId: `file_${id}`, name: `${id}.txt`, mimeType: 'text/plain', sizeBytes: 1, upstreamRef: `sf_${id}` },
      prepared: () => Promise.reject(new Error('the sandbox reads files itself')),
    });
    const said = (role: string, text: string) => ({ role, text, parts: [] });

    it('are attached to what the user said last', async () => {
      const messages = [said('user', 'one'), said('user', 'two'), said('system', 'three')];
      await run(streaming(ACCEPTED, DONE), { messages, files: [file('a'), file('b')] });
      expect(upstream.received[0]?.body.messages).toEqual([
        { role: 'user', content: 'one', images: [] },
        { role: 'user', content: 'two', images: [], attachments: ['sf_a', 'sf_b'] },
        { role: 'system', content: 'three', images: [] },
      ]);
    });

    it('of earlier messages come along where the conversation begins with them', async () => {
      const attached = { fileId: 'file_a', assetId: '', fileName: 'a.txt', mimeType: 'text/plain' };
      const earlier = { ...said('user', 'before'), id: '1', status: 'completed', files: [attached, { ...attached, fileId: 'file_gone' }] };
      const asked: string[][] = [];
      const earlierFiles = async (ids: readonly string[]) => (asked.push([...ids]), new Map([['file_a', file('a')]]));
      await run(streaming(ACCEPTED, DONE), { history: async () => [earlier], earlierFiles });
      expect(upstream.received[0]?.body.messages).toMatchObject([{ content: 'before', attachments: ['sf_a'] }, { content: 'Hello' }]);
      expect(asked).toEqual([['file_a', 'file_gone']]);
    });

    it('that it makes are reported in their order', async () => {
      const made = event('artifact', { id: 'sa_1', kind: 'image', name: 'a.png', mime_type: 'image/png' });
      const sink = await run(streaming(ACCEPTED, delta('Here: ') + made + delta('done'), DONE));
      expect(sink.artifacts).toEqual([{ kind: 'image', name: 'a.png', mimeType: 'image/png', reference: 'sa_1' }]);
      expect(sink).toMatchObject({ text: 'Here: done', batches: 2 });
    });

    it.each([
      ['before it accepted the turn', event('artifact', { id: 'sa_1', kind: 'image', name: 'a.png', mime_type: 'image/png' })],
      ['of an unknown kind', ACCEPTED + event('artifact', { id: 'sa_1', kind: 'soup', name: 'a', mime_type: 'a/b' })],
    ])('that it makes %s are a bad answer', async (_name, events) => {
      const sink = await run(streaming(events));
      expect(sink.artifacts).toEqual([]);
      expect(sink.outcomes).toMatchObject([{ error: { condition: 'PROVIDER_BAD_ANSWER' } }]);
    });
  });

  describe('stop', () => {
    const stopOf = () => upstream.received.find(({ path }) => path.endsWith('/stop'));
    /** Streams until it is asked to stop, then says where the conversation stands. */
    const obedient = (): ResponseScript => {
      let answering: ReceivedRequest | undefined;
      return (received) => {
        if (received.path.endsWith('/stop')) {
          received.res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
          answering?.res.end(delta('rest') + DONE);
          return;
        }
        answering = received;
        stream(received.res);
        received.res.write(ACCEPTED + delta('part'));
      };
    };

    it('asks the sandbox to stop, and waits for its answer', async () => {
      const { sink, hold } = start(obedient());
      await waitFor(() => sink.text === 'part');
      hold.stop();
      await waitFor(() => stopOf(), { everyMs: 5 });
      await waitFor(() => sink.outcomes.length > 0);
      expect(stopOf()).toMatchObject({ path: '/api/conversations/c%2F1/stop', body: { message_id: 'm1' } });
      expect(sink).toMatchObject({ text: 'partrest', outcomes: [{ upstreamState: JSON.stringify({ ...STATE, message: 'm2' }) }] });
    });

    it('reads on when it was paused', async () => {
      const { sink, hold } = start(obedient());
      await waitFor(() => sink.text === 'part');
      hold.pause();
      hold.stop();
      await waitFor(() => sink.outcomes.length > 0);
      expect(sink.outcomes).toMatchObject([{ finishReason: 'stop', usage: { tokensIn: 3, tokensOut: 4 } }]);
    });

    it('asks to stop as soon as the turn is accepted', async () => {
      let answering: ReceivedRequest | undefined;
      const { sink, hold } = start((received) => {
        if (received.path.endsWith('/stop')) received.res.end('{}');
        else answering = received;
      });
      await waitFor(() => answering);
      hold.stop();
      if (answering) stream(answering.res);
      answering?.res.write(ACCEPTED);
      await waitFor(() => stopOf());
      answering?.res.end(DONE);
      await waitFor(() => sink.outcomes.length > 0);
      expect(sink.outcomes).toHaveLength(1);
    });

    it('closes the connection on a sandbox that does not stop', async () => {
      const deaf: ResponseScript = ({ res, path }) => {
        if (path.endsWith('/stop')) return void res.writeHead(500).end();
        stream(res);
        res.write(ACCEPTED + delta('part'));
      };
      const { sink, hold } = start(deaf, { deadlines: { acceptanceMs: 30_000, silenceMs: 30_000 } });
      await waitFor(() => sink.text === 'part');
      hold.stop();
      await waitFor(() => sink.outcomes.length > 0);
      expect(sink.outcomes).toMatchObject([{ finishReason: 'stop', upstreamState: JSON.stringify(STATE) }]);
      await waitFor(() => upstream.received[0]?.isClosed);
    });
  });

  describe('sessions', () => {
    const account = () => ({ id: 'a', baseUrl: upstream.url, account: 'ada', secret: 'password' });
    const json = (value: unknown) => JSON.stringify(value);

    it('logs in and lists the models with the session', async () => {
      upstream.script = ({ path, res }) =>
        void res.end(path === '/api/session' ? json({ token: 't1' }) : json({ models: [{ id: 'm1' }, { id: 'm2' }] }));
      await expect(sandbox(pools).connect(account())).resolves.toEqual({ secret: 't1', models: ['m1', 'm2'] });
      expect(upstream.received).toMatchObject([
        { body: { account: 'ada', password: 'password' } },
        { headers: { authorization: 'Bearer t1' } },
      ]);
    });

    it('reports wrong credentials', async () => {
      upstream.script = refusing(401, 'bad_credentials');
      await expect(sandbox(pools).connect(account())).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
    });

    it.each(['<html>', '{}', '[]', '7'])('does not take %j for a session', async (body) => {
      upstream.script = ({ res }) => void res.end(body);
      await expect(sandbox(pools).connect(account())).rejects.toMatchObject({ condition: 'PROVIDER_BAD_ANSWER' });
      await expect(sandbox(pools).test(account())).rejects.toMatchObject({ condition: 'PROVIDER_BAD_ANSWER' });
    });
  });
});
