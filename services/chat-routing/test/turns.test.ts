import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { type Client, turnRequest } from './client.ts';
import { connectAccount, type TestFixture, newCaller, type Running } from './fixture.ts';
import { answering, beginning, finish, refusing } from './openai-script.ts';
import { lastTurn, LISTEN, openTurnFixture, settle, findTurn } from './turn-fixture.ts';

describe.each(LISTEN)('chat turns, record reached %s', (listen) => {
  let fixture: TestFixture;
  let running: Running;
  let client: Client;
  beforeAll(async () => {
    ({ fixture, running, client } = await openTurnFixture(listen));
  });
  afterAll(() => fixture.close());
  beforeEach(() => settle(fixture));

  it.each([true, false])('answers a new conversation and records it (stream: %p)', async (stream) => {
    const outcome = await client.turn('Hello', { stream });
    expect(outcome).toMatchObject({ text: stream ? 'Hi there' : '', recorded: false, error: undefined, ends: 1 });
    expect(outcome.completed).toEqual({ finishReason: 'stop', tokensIn: 5, tokensOut: 2, text: stream ? '' : 'Hi there', reasoning: '' });
    const turn = findTurn(fixture, outcome.accepted?.conversationId);
    expect(turn?.begin).toMatchObject({
      sequence: 1,
      model: 'm1',
      messages: [{ role: 'user', text: 'Hello' }],
      assistantMessageId: outcome.accepted?.messageId,
    });
    expect(turn?.begin.newConversation).toMatchObject({ model: 'm1', upstreamAccountId: turn?.end?.connectionId });
    expect(turn?.end).toMatchObject({ status: 'completed', text: 'Hi there', tokensIn: 5, tokensOut: 2, error: undefined });
    expect(turn?.ends).toBe(1);
    expect(outcome.accepted).toMatchObject({ model: 'm1' });
  });

  it('counts tokens where the upstream does not', async () => {
    fixture.upstream.script = ({ res }) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(
        JSON.stringify({
          choices: [{ message: { content: 'Hello there, my friend!' } }],
          usage: { prompt_tokens: 1e12, completion_tokens: -1 },
        }),
      );
    };
    const { completed } = await client.turn('What do you say?', { stream: false });
    expect(completed).toMatchObject({ tokensIn: 5, tokensOut: 6 });
  });

  it('asks the upstream beside the commit, and sends nothing before it', async () => {
    let commit: () => void = () => undefined;
    fixture.conversation.before = ({ $case }) => ($case === 'begin' ? new Promise((resolve) => (commit = resolve)) : undefined);
    const outcome = client.open(turnRequest('Hello'));
    await waitFor(() => fixture.upstream.received[0]?.res.writableFinished);
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcome).toMatchObject({ accepted: undefined, text: '', ends: 0 });
    commit();
    await outcome.over;
    expect(outcome).toMatchObject({ text: 'Hi there', error: undefined });
    const { committedMs = 0, answeredMs = 0 } = lastTurn(fixture)?.end?.times ?? {};
    expect(committedMs).toBeGreaterThanOrEqual(answeredMs);
  });

  it('records when the turn came to what, since the head of its request', async () => {
    fixture.upstream.script = beginning('part');
    const outcome = client.open(turnRequest('Hello', { edgeMs: 70_000 }));
    await waitFor(() => outcome.text === 'part');
    finish(fixture.upstream.received[0]?.res);
    await outcome.over;
    const times = lastTurn(fixture)?.end?.times;
    const inOrder = [times?.routedMs, times?.askedMs, times?.acceptedMs, times?.firstTokenMs, times?.answeredMs];
    expect(inOrder[0]).toBe(70_000);
    expect(inOrder).toEqual([...inOrder].sort((one = 0, other = 0) => one - other));
    expect(times?.committedMs).toBeGreaterThanOrEqual(70_000);
  });

  it('records no moment that a turn has not come to', async () => {
    fixture.upstream.script = refusing(500);
    await client.turn('Hello', { edgeMs: 1 });
    const moments = Object.entries(lastTurn(fixture)?.end?.times ?? {}).flatMap(([name, ms]) => (ms === undefined ? [] : [name]));
    expect(moments.sort()).toEqual(['answeredMs', 'askedMs', 'committedMs', 'routedMs']);
  });

  it.each([
    ['before it is written', false],
    ['after it is written', true],
  ])('says SERVICE_UNAVAILABLE and stops the upstream when the commit fails %s', async (_name, isWritten) => {
    const fault = ({ $case }: { $case: string }) => {
      if ($case === 'begin') throw new GatewayError('SERVICE_UNAVAILABLE', 'the database is not available');
    };
    if (isWritten) fixture.conversation.after = fault;
    else fixture.conversation.before = fault;
    fixture.upstream.script = beginning('never sent');
    const before = fixture.conversation.turns.size;
    const outcome = await client.turn('Hello');
    expect(outcome).toMatchObject({ accepted: undefined, text: '', ends: 1, error: { condition: 'SERVICE_UNAVAILABLE' } });
    await waitFor(() => fixture.upstream.received.every(({ isClosed }) => isClosed));
    expect(fixture.conversation.turns.size).toBe(before + (isWritten ? 1 : 0));
    // What was written all the same ends as failed, so that it is not open for ever.
    if (isWritten) await waitFor(() => lastTurn(fixture)?.end);
    if (isWritten) expect(lastTurn(fixture)?.end).toMatchObject({ status: 'failed', error: { condition: 'SERVICE_UNAVAILABLE' } });
  });

  it('answers SERVICE_UNAVAILABLE soon when the record does not answer', async () => {
    fixture.conversation.before = ({ $case }) => ($case === 'begin' ? new Promise(() => undefined) : undefined);
    const outcome = client.open(turnRequest('Hello'));
    await waitFor(() => outcome.ends === 1);
    expect(outcome.error).toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
  });

  it('passes on a refusal of the record, and stops the upstream', async () => {
    fixture.upstream.script = beginning('never sent');
    fixture.conversation.before = ({ $case }) => {
      if ($case === 'begin') throw new GatewayError('VALIDATION_ERROR', 'not storable', { param: 'messages' });
    };
    await expect(client.refusal()).resolves.toBe('VALIDATION_ERROR');
    await waitFor(() => fixture.upstream.received.every(({ isClosed }) => isClosed));
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
    expect(findTurn(fixture, conversationId)?.begin).toMatchObject({
      sequence: 2,
      newConversation: undefined,
      messages: [{ text: 'What is it?' }, { text: 'Well?' }],
    });
    expect(fixture.upstream.received.at(-1)?.body.messages).toEqual([
      { role: 'user', content: 'My name is Ada' },
      { role: 'assistant', content: 'Hi there' },
      { role: 'user', content: 'What is it?\n\nWell?' },
    ]);
  });

  it('refuses a request without anything new', async () => {
    const { accepted } = await client.turn('Hello');
    const messages = [{ role: 'assistant', text: 'x', parts: [] }];
    const outcome = await client.turn('', { conversationId: accepted?.conversationId, messages });
    expect(outcome.error).toMatchObject({ condition: 'VALIDATION_ERROR', param: 'messages' });
  });

  it('waits for the turn before it, and gives up with CONVERSATION_BUSY', async () => {
    const { accepted } = await client.turn('Hello');
    const conversationId = accepted?.conversationId ?? '';
    fixture.upstream.script = beginning('slow');
    const slow = client.open(turnRequest('one', { conversationId }));
    await waitFor(() => slow.text === 'slow');
    const next = client.open(turnRequest('two', { conversationId }));
    await waitFor(() => fixture.upstream.received.length === 2);
    expect(next.ends).toBe(0);
    fixture.upstream.script = answering('quick');
    finish(fixture.upstream.received.at(-1)?.res);
    await Promise.all([slow.over, next.over]);
    expect([slow.error, next.error, next.text]).toEqual([undefined, undefined, 'quick']);
    expect(fixture.conversation.turnsOf(conversationId).map(({ begin }) => begin.sequence)).toEqual([1, 2, 3]);

    const impatient = await fixture.start({ busyMs: 200 });
    fixture.upstream.script = beginning('slow');
    const busy = client.open(turnRequest('three', { conversationId }));
    await waitFor(() => busy.text === 'slow');
    const refused = await impatient.as(client.caller).turn('four', { conversationId });
    expect(refused.error).toMatchObject({ condition: 'CONVERSATION_BUSY', retryAfterMs: 1_000 });
    finish(fixture.upstream.received.at(-1)?.res);
    await busy.over;
    await impatient.stop();
  });

  it('keeps the user message and marks the partial text when the upstream fails', async () => {
    fixture.upstream.script = beginning('part');
    const outcome = client.open(turnRequest('Hello'));
    await waitFor(() => outcome.text === 'part');
    fixture.upstream.received.at(-1)?.res.socket?.resetAndDestroy();
    await outcome.over;
    expect(outcome).toMatchObject({ recorded: true, error: { condition: 'PROVIDER_UNAVAILABLE' } });
    expect(findTurn(fixture, outcome.accepted?.conversationId)?.end).toMatchObject({
      status: 'failed',
      text: 'part',
      error: { condition: 'PROVIDER_UNAVAILABLE' },
    });
  });

  it('counts no tokens for a turn that the upstream refused, and passes on its retry-after', async () => {
    const limited = running.as(newCaller());
    await connectAccount(fixture, running, limited.caller);
    fixture.upstream.script = refusing(429, { 'retry-after': '9' });
    const outcome = await limited.turn('Hello');
    expect(outcome).toMatchObject({
      accepted: undefined,
      recorded: true,
      error: { condition: 'PROVIDER_RATE_LIMITED' },
    });
    // The connection takes no turn for five minutes, whatever the upstream says of its own wait.
    expect(outcome.error?.retryAfterMs).toBeGreaterThan(200_000);
    expect(lastTurn(fixture)?.end).toMatchObject({ status: 'failed', tokensIn: 0, tokensOut: 0, text: '' });
  });
});
