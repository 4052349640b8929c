import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Listen } from '@parley/kit/rpc/serve';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { type Client, say } from './client.ts';
import { connectAccount, type House, newCaller, openHouse, type Running } from './house.ts';
import { answering, beginning, finish, refusing } from './openai-script.ts';

const LISTEN: Listen[] = ['in-process', '127.0.0.1:0'];

describe.each(LISTEN)('chat turns, record reached %s', (listen) => {
  let house: House;
  let running: Running;
  let client: Client;
  beforeAll(async () => {
    house = await openHouse(listen);
    running = await house.start({ listen });
    client = running.as(newCaller());
    house.upstream.script = answering('');
    await connectAccount(house, running, client.caller);
  });
  afterAll(() => house.close());
  beforeEach(() => {
    house.conversation.before = () => undefined;
    house.conversation.after = () => undefined;
    house.upstream.script = answering('Hi there');
    house.upstream.received.length = 0;
  });

  const turnOf = (conversationId: string | undefined) => {
    const turns = house.conversation.turnsOf(conversationId ?? '');
    return turns[turns.length - 1];
  };
  const lastTurn = () => [...house.conversation.turns.values()].at(-1);

  it.each([true, false])('answers a new conversation and records it (stream: %p)', async (stream) => {
    const heard = await client.turn('Hello', { stream });
    expect(heard).toMatchObject({ text: stream ? 'Hi there' : '', recorded: false, error: undefined, ends: 1 });
    expect(heard.completed).toEqual({ finishReason: 'stop', tokensIn: 5, tokensOut: 2, text: stream ? '' : 'Hi there' });
    const turn = turnOf(heard.accepted?.conversationId);
    expect(turn?.begin).toMatchObject({ sequence: 1, model: 'm1', messages: [{ role: 'user', text: 'Hello' }], assistantMessageId: heard.accepted?.messageId });
    expect(turn?.begin.newConversation).toMatchObject({ model: 'm1', upstreamAccountId: turn?.end?.connectionId });
    expect(turn?.end).toMatchObject({ status: 'completed', text: 'Hi there', tokensIn: 5, tokensOut: 2, error: undefined });
    expect(turn?.ends).toBe(1);
    expect(heard.accepted).toMatchObject({ model: 'm1' });
  });

  it('counts tokens where the upstream does not', async () => {
    house.upstream.script = ({ res }) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ choices: [{ message: { content: 'Hello there, my friend!' } }], usage: { prompt_tokens: 1e12, completion_tokens: -1 } }));
    };
    const { completed } = await client.turn('What do you say?', { stream: false });
    expect(completed).toMatchObject({ tokensIn: 5, tokensOut: 6 });
  });

  it('asks the upstream beside the commit, and lets nothing out before it', async () => {
    let commit: () => void = () => undefined;
    house.conversation.before = ({ $case }) => ($case === 'begin' ? new Promise((resolve) => (commit = resolve)) : undefined);
    const heard = client.open(say('Hello'));
    await waitFor(() => house.upstream.received[0]?.res.writableFinished);
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toMatchObject({ accepted: undefined, text: '', ends: 0 });
    commit();
    await heard.over;
    expect(heard).toMatchObject({ text: 'Hi there', error: undefined });
  });

  it.each([
    ['before it is written', false],
    ['after it is written', true],
  ])('says SERVICE_UNAVAILABLE and stops the upstream when the commit fails %s', async (_name, isWritten) => {
    const fault = ({ $case }: { $case: string }) => {
      if ($case === 'begin') throw new GatewayError('SERVICE_UNAVAILABLE', 'the database is not available');
    };
    if (isWritten) house.conversation.after = fault;
    else house.conversation.before = fault;
    house.upstream.script = beginning('never heard');
    const before = house.conversation.turns.size;
    const heard = await client.turn('Hello');
    expect(heard).toMatchObject({ accepted: undefined, text: '', ends: 1, error: { condition: 'SERVICE_UNAVAILABLE' } });
    await waitFor(() => house.upstream.received.every(({ isClosed }) => isClosed));
    expect(house.conversation.turns.size).toBe(before + (isWritten ? 1 : 0));
    // What was written all the same ends as failed, so that it is not open for ever.
    if (isWritten) await waitFor(() => lastTurn()?.end);
    if (isWritten) expect(lastTurn()?.end).toMatchObject({ status: 'failed', error: { condition: 'SERVICE_UNAVAILABLE' } });
  });

  it('says SERVICE_UNAVAILABLE within 2 s when the record does not answer', async () => {
    house.conversation.before = ({ $case }) => ($case === 'begin' ? new Promise(() => undefined) : undefined);
    const since = performance.now();
    await expect(client.refusal()).resolves.toBe('SERVICE_UNAVAILABLE');
    expect(performance.now() - since).toBeLessThan(4_000);
  });

  it('tells a refusal of the record as it is, and stops the upstream', async () => {
    house.upstream.script = beginning('never heard');
    house.conversation.before = ({ $case }) => {
      if ($case === 'begin') throw new GatewayError('VALIDATION_ERROR', 'not storable', { param: 'messages' });
    };
    await expect(client.refusal()).resolves.toBe('VALIDATION_ERROR');
    await waitFor(() => house.upstream.received.every(({ isClosed }) => isClosed));
  });

  it('replays history to an upstream that keeps none, with only the new messages of the request', async () => {
    const first = await client.turn('My name is Ada');
    const conversationId = first.accepted?.conversationId ?? '';
    const messages = ['user: My name is Ada', 'assistant: Hi there', 'user: What is it?', 'user: Well?'].map((line) => {
      const [role = '', text = ''] = line.split(': ');
      return { role, text, parts: [] };
    });
    const second = await client.turn('', { conversationId, messages });
    expect(second).toMatchObject({ error: undefined, accepted: { conversationId } });
    expect(turnOf(conversationId)?.begin).toMatchObject({ sequence: 2, newConversation: undefined, messages: [{ text: 'What is it?' }, { text: 'Well?' }] });
    expect(house.upstream.received.at(-1)?.body.messages).toEqual([
      { role: 'user', content: 'My name is Ada' },
      { role: 'assistant', content: 'Hi there' },
      { role: 'user', content: 'What is it?' },
      { role: 'user', content: 'Well?' },
    ]);
  });

  it('refuses a request without anything new', async () => {
    const { accepted } = await client.turn('Hello');
    const messages = [{ role: 'assistant', text: 'x', parts: [] }];
    const heard = await client.turn('', { conversationId: accepted?.conversationId, messages });
    expect(heard.error).toMatchObject({ condition: 'VALIDATION_ERROR', param: 'messages' });
  });

  it('waits for the turn before it, and gives up with CONVERSATION_BUSY', async () => {
    const { accepted } = await client.turn('Hello');
    const conversationId = accepted?.conversationId ?? '';
    house.upstream.script = beginning('slow');
    const slow = client.open(say('one', { conversationId }));
    await waitFor(() => slow.text === 'slow');
    const next = client.open(say('two', { conversationId }));
    await waitFor(() => house.upstream.received.length === 2);
    expect(next.ends).toBe(0);
    house.upstream.script = answering('quick');
    finish(house.upstream.received.at(-1)?.res);
    await Promise.all([slow.over, next.over]);
    expect([slow.error, next.error, next.text]).toEqual([undefined, undefined, 'quick']);
    expect(house.conversation.turnsOf(conversationId).map(({ begin }) => begin.sequence)).toEqual([1, 2, 3]);

    const impatient = await house.start({ busyMs: 200 });
    house.upstream.script = beginning('slow');
    const busy = client.open(say('three', { conversationId }));
    await waitFor(() => busy.text === 'slow');
    const refused = await impatient.as(client.caller).turn('four', { conversationId });
    expect(refused.error).toMatchObject({ condition: 'CONVERSATION_BUSY', retryAfterMs: 1_000 });
    finish(house.upstream.received.at(-1)?.res);
    await busy.over;
    await impatient.stop();
  });

  it('keeps the user message and marks the partial text when the upstream fails', async () => {
    house.upstream.script = beginning('part');
    const heard = client.open(say('Hello'));
    await waitFor(() => heard.text === 'part');
    house.upstream.received.at(-1)?.res.socket?.resetAndDestroy();
    await heard.over;
    expect(heard).toMatchObject({ recorded: true, error: { condition: 'PROVIDER_UNAVAILABLE' } });
    expect(turnOf(heard.accepted?.conversationId)?.end).toMatchObject({ status: 'failed', text: 'part', error: { condition: 'PROVIDER_UNAVAILABLE' } });
  });

  it('counts no tokens for a turn that the upstream refused, and tells its wait', async () => {
    const limited = running.as(newCaller());
    await connectAccount(house, running, limited.caller);
    house.upstream.script = refusing(429, { 'retry-after': '9' });
    const heard = await limited.turn('Hello');
    expect(heard).toMatchObject({ accepted: undefined, recorded: true, error: { condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: 9_000 } });
    expect(lastTurn()?.end).toMatchObject({ status: 'failed', tokensIn: 0, tokensOut: 0, text: '' });
  });

  describe('idempotency', () => {
    const digest = (text: string) => Buffer.alloc(32, text);

    it.each([true, false])('answers a repeated request with its first turn (stream: %p)', async (stream) => {
      const over = { stream, idempotencyKey: `key-${stream}`, requestDigest: digest('a') };
      const first = await client.turn('Hello', over);
      house.upstream.script = answering('something else');
      const asked = house.upstream.received.length;
      const second = await client.turn('Hello', over);
      expect(house.upstream.received).toHaveLength(asked);
      expect(second).toMatchObject({ accepted: { ...first.accepted }, text: first.text, completed: first.completed });
      const other = await client.turn('Hello', { ...over, requestDigest: digest('b') });
      expect(other.error).toMatchObject({ condition: 'VALIDATION_ERROR', param: 'Idempotency-Key' });
    });

    it('waits for a first turn that still runs', async () => {
      house.upstream.script = beginning('slow');
      const over = { idempotencyKey: 'twins', requestDigest: digest('a') };
      const first = client.open(say('Hello', over));
      await waitFor(() => first.text === 'slow');
      const second = client.open(say('Hello', over));
      finish(house.upstream.received.at(-1)?.res, ' but sure');
      await Promise.all([first.over, second.over]);
      expect(second).toMatchObject({ text: 'slow but sure', accepted: { conversationId: first.accepted?.conversationId } });
      expect(house.upstream.received).toHaveLength(1);
    });

    it('repeats the failure of a first turn', async () => {
      house.upstream.script = refusing(400);
      const over = { idempotencyKey: 'failed', requestDigest: digest('a') };
      const failed = { recorded: true, error: { condition: 'INVALID_REQUEST' } };
      expect(await client.turn('Hello', over)).toMatchObject(failed);
      expect(await client.turn('Hello', over)).toMatchObject(failed);
      expect(house.upstream.received).toHaveLength(1);
    });

    it('ends a turn whose beginning was written and nobody learned it', async () => {
      house.conversation.after = ({ $case }) => {
        if ($case === 'begin') throw new GatewayError('SERVICE_UNAVAILABLE', 'cut');
      };
      const heard = await client.turn('Hello', { idempotencyKey: 'unknown', requestDigest: digest('a') });
      expect(heard).toMatchObject({ error: { condition: 'SERVICE_UNAVAILABLE' } });
      await waitFor(() => lastTurn()?.end);
      expect(lastTurn()?.end).toMatchObject({ status: 'failed', text: '' });
      expect(house.upstream.received).toEqual([]);
    });
  });

  it('records a client that leaves as interrupted, once, with what came', async () => {
    house.upstream.script = beginning('part of it');
    const heard = client.open(say('Hello'));
    await waitFor(() => heard.text === 'part of it');
    heard.exchange?.cancel();
    await waitFor(() => house.upstream.received.at(-1)?.isClosed, { timeoutMs: 250, everyMs: 5 });
    const turn = await waitFor(() => turnOf(heard.accepted?.conversationId));
    await waitFor(() => turn.end);
    expect(turn).toMatchObject({ ends: 1, end: { status: 'interrupted', text: 'part of it', tokensIn: 1, tokensOut: 3 } });
    expect(heard.ends).toBe(0);
  });

  it('records a client that leaves before anything came', async () => {
    house.upstream.script = () => undefined;
    const heard = client.open(say('Hello'));
    await waitFor(() => house.upstream.received.length === 1);
    heard.exchange?.cancel();
    await waitFor(() => house.upstream.received[0]?.isClosed);
    await waitFor(() => lastTurn()?.end?.status === 'interrupted');
    expect(lastTurn()?.end).toMatchObject({ text: '', tokensIn: 0, tokensOut: 0 });
  });

  it('bounds the whole turn', async () => {
    const hasty = await house.start({ turnMs: 300 });
    house.upstream.script = beginning('part');
    const heard = await hasty.as(client.caller).turn('Hello');
    expect(heard).toMatchObject({ text: 'part', recorded: true, error: { condition: 'PROVIDER_TIMEOUT' } });
    await waitFor(() => house.upstream.received.at(-1)?.isClosed);
    expect(turnOf(heard.accepted?.conversationId)?.end).toMatchObject({ status: 'failed', text: 'part' });
    await hasty.stop();
  });

  it('writes an outcome later that cannot be written now', async () => {
    let isDown = true;
    let attempts = 0;
    house.conversation.before = ({ $case }) => {
      if ($case !== 'end') return;
      attempts++;
      if (isDown) throw new GatewayError('SERVICE_UNAVAILABLE', 'the database is not available');
    };
    const heard = await client.turn('Hello');
    expect(heard).toMatchObject({ text: 'Hi there', completed: undefined, recorded: true, error: { condition: 'SERVICE_UNAVAILABLE' } });
    await waitFor(() => attempts > 1);
    isDown = false;
    const turn = await waitFor(() => turnOf(heard.accepted?.conversationId));
    await waitFor(() => turn.end);
    expect(turn.end).toMatchObject({ status: 'completed', text: 'Hi there' });
  });

  it('says SERVICE_UNAVAILABLE when others closed the turn before, and tries no more', async () => {
    house.upstream.script = beginning('part');
    const heard = client.open(say('Hello'));
    await waitFor(() => heard.text === 'part');
    const turn = await waitFor(() => turnOf(heard.accepted?.conversationId));
    turn.end = { ...({} as NonNullable<typeof turn.end>), status: 'interrupted', text: '' };
    finish(house.upstream.received.at(-1)?.res);
    await heard.over;
    expect(heard).toMatchObject({ completed: undefined, recorded: true, error: { condition: 'SERVICE_UNAVAILABLE' } });
    expect(turn.ends).toBe(1);
  });

  it('keeps what a long answer has so far', async () => {
    house.upstream.script = beginning('a');
    const heard = client.open(say('Hello'));
    await waitFor(() => heard.text === 'a');
    const { res } = house.upstream.received.at(-1) ?? {};
    const more = setInterval(() => res?.write(`data: ${JSON.stringify({ choices: [{ delta: { content: 'b' } }] })}\n\n`), 100);
    await waitFor(() => house.conversation.partials.length > 0);
    clearInterval(more);
    expect(house.conversation.partials[0]?.text).toMatch(/^ab+$/);
    finish(res);
    await heard.over;
  });

  it('gives a slow client everything in the end', async () => {
    const text = 'x'.repeat(16 * 1024);
    house.upstream.script = ({ res }) => {
      beginning(text)({ res } as never);
      for (let n = 1; n < 400; n++) res.write(`data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`);
      finish(res);
    };
    const heard = client.open(say('Hello'));
    heard.exchange?.pause();
    await waitFor(() => house.upstream.received.length > 0);
    const steps = setInterval(() => {
      heard.exchange?.resume();
      heard.exchange?.pause();
    }, 5);
    await waitFor(() => heard.text.length > 1024 * 1024);
    clearInterval(steps);
    expect(heard.ends).toBe(0);
    heard.exchange?.resume();
    await heard.over;
    expect(heard.text.length).toBe(400 * text.length);
    expect(heard.error).toBeUndefined();
  });

  it('does not keep an answer without end', async () => {
    const text = 'x'.repeat(64 * 1024);
    house.upstream.script = ({ res }) => {
      const event = `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`;
      const more = () => {
        while (!res.destroyed && res.write(event));
      };
      res.on('drain', more);
      beginning('')({ res } as never);
      more();
    };
    const heard = await client.turn('Hello', { stream: false });
    expect(heard).toMatchObject({ recorded: true, error: { condition: 'PROVIDER_BAD_ANSWER' } });
    expect(lastTurn()?.end?.text.length).toBeLessThan(9 * 1024 * 1024);
  });
});
