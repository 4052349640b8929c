import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ListenAddress } from '@parley/kit/rpc/serve';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type Client, type ReceivedTurn, turnRequest } from './client.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { answering, beginning, finish, refusing } from './openai-script.ts';
import { SandboxScript } from './sandbox-script.ts';

const LISTEN: ListenAddress[] = ['in-process', '127.0.0.1:0'];
const digest = (text: string) => Buffer.alloc(32, text);
/** A request that fails, and the same again; the OpenAI SDKs declare which one it is. */
const FIRST = { requestDigest: digest('a') };
const RETRY = { ...FIRST, retry: true };

describe.each(LISTEN)('retried turns, record reached %s', (listen) => {
  let fixture: TestFixture;
  let running: Running;
  let client: Client;
  beforeAll(async () => {
    fixture = await openFixture(listen);
    running = await fixture.start({ listen });
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    client = running.as(newCaller());
    fixture.upstream.script = answering('');
    await connectAccount(fixture, running, client.caller);
    fixture.upstream.script = answering('Hi there');
    fixture.upstream.received.length = 0;
  });

  const open = async () => (await client.turn('Hello', { requestDigest: digest('0') })).accepted?.conversationId ?? '';
  const userMessages = (conversationId: string) =>
    fixture.conversation
      .history(conversationId)
      .filter(({ role }) => role === 'user')
      .map(({ text }) => text);
  const statuses = (conversationId: string) => fixture.conversation.turnsOf(conversationId).map(({ end }) => end?.status);
  const conversations = () =>
    [...fixture.conversation.conversations.values()]
      .filter(({ owner }) => owner.keyId === client.caller.keyId)
      .map((one) => one.conversationId);
  const lastAsked = () =>
    (fixture.upstream.received.at(-1)?.body.messages as { role: string; content: string }[]).map(({ content }) => content);
  const again = (conversationId: string, over: Partial<TurnRequest> = {}) =>
    client.turn('How are you?', { ...RETRY, conversationId, ...over });

  async function failed(conversationId: string): Promise<ReceivedTurn> {
    fixture.upstream.script = refusing(500);
    const outcome = await client.turn('How are you?', { ...FIRST, conversationId });
    fixture.upstream.script = answering('Fine');
    return outcome;
  }

  it.each([true, false])('repeats a failed turn without its message (declared a retry: %p)', async (retry) => {
    const conversationId = await open();
    await failed(conversationId);
    await failed(conversationId);
    expect(await again(conversationId, { retry })).toMatchObject({ text: 'Fine', error: undefined });
    expect(lastAsked()).toEqual(['Hello', 'Hi there', 'How are you?']);
    expect(userMessages(conversationId)).toEqual(['Hello', 'How are you?']);
    expect(statuses(conversationId)).toEqual(['completed', 'failed', 'failed', 'completed']);
  });

  it('sends other messages, or the same after an answer, unchanged', async () => {
    const conversationId = await open();
    await failed(conversationId);
    await again(conversationId, { requestDigest: digest('b') });
    await again(conversationId, { requestDigest: digest('b'), retry: false });
    expect(userMessages(conversationId)).toEqual(['Hello', 'How are you?', 'How are you?', 'How are you?']);
  });

  it('answers a declared retry with the answer that its client did not get', async () => {
    const conversationId = await open();
    const first = await client.turn('How are you?', { ...FIRST, conversationId });
    const asked = fixture.upstream.received.length;
    for (const stream of [true, false]) {
      const second = await again(conversationId, { stream });
      expect(second.completed?.text ?? '').toBe(stream ? '' : first.text);
      expect([second.text, second.accepted?.messageId]).toEqual([stream ? first.text : '', first.accepted?.messageId]);
    }
    expect(fixture.upstream.received).toHaveLength(asked);
    await again(conversationId, { idempotencyKey: 'another' });
    expect(fixture.upstream.received).toHaveLength(asked + 1);
  });

  it('waits for the first attempt while it runs, and has its answer', async () => {
    const conversationId = await open();
    fixture.upstream.script = beginning('slow');
    const first = client.open(turnRequest('How are you?', { ...FIRST, conversationId }));
    await waitFor(() => first.text === 'slow');
    const second = client.open(turnRequest('How are you?', { ...RETRY, conversationId }));
    finish(fixture.upstream.received.at(-1)?.res, ' but sure');
    await Promise.all([first.over, second.over]);
    expect(second).toMatchObject({ text: 'slow but sure', accepted: { messageId: first.accepted?.messageId } });
    expect(userMessages(conversationId)).toEqual(['Hello', 'How are you?']);
  });

  it('repeats a first attempt that ends while it waits because its client is gone', async () => {
    const conversationId = await open();
    fixture.upstream.script = beginning('slow');
    const first = client.open(turnRequest('How are you?', { ...FIRST, conversationId }));
    await waitFor(() => first.text === 'slow');
    const second = client.open(turnRequest('How are you?', { ...RETRY, conversationId }));
    fixture.upstream.script = answering('Fine');
    first.call?.cancel();
    expect(await second.over).toMatchObject({ text: 'Fine' });
    expect(statuses(conversationId)).toEqual(['completed', 'interrupted', 'completed']);
    expect(userMessages(conversationId)).toEqual(['Hello', 'How are you?']);
  });

  it.each([true, false])('continues in the conversation that a refused first turn opened (stream: %p)', async (stream) => {
    fixture.upstream.script = refusing(500);
    await client.turn('Hello', { ...FIRST, stream });
    await client.turn('Hello', { ...RETRY, stream });
    fixture.upstream.script = answering('Fine');
    const outcome = await client.turn('Hello', { ...RETRY, stream });
    expect(conversations()).toEqual([outcome.accepted?.conversationId]);
    expect(lastAsked()).toEqual(['Hello']);
    expect(userMessages(conversations()[0] ?? '')).toEqual(['Hello']);
    expect(statuses(conversations()[0] ?? '')).toEqual(['failed', 'failed', 'completed']);
  });

  it('opens a conversation for a first attempt, whatever failed before', async () => {
    fixture.upstream.script = refusing(500);
    await client.turn('Hello', FIRST);
    fixture.upstream.script = answering('Fine');
    await client.turn('Hello', FIRST);
    expect(conversations()).toHaveLength(2);
  });

  it.each([true, false])('opens another conversation when the first turn was accepted and broke off (stream: %p)', async (stream) => {
    fixture.upstream.script = beginning('slow');
    const first = client.open(turnRequest('Hello', { ...FIRST, stream }));
    await waitFor(() => fixture.upstream.received.length === 1 && (!stream || first.text === 'slow'));
    fixture.upstream.received[0]?.res.destroy();
    expect((await first.over).error).toMatchObject({ condition: 'PROVIDER_UNAVAILABLE' });
    fixture.upstream.script = answering('Fine');
    const outcome = await client.turn('Hello', { ...RETRY, stream });
    expect(conversations()).toHaveLength(2);
    expect(statuses(outcome.accepted?.conversationId ?? '')).toEqual(['completed']);
  });

  it('lets each refused conversation go on once, however many ask for it', async () => {
    fixture.upstream.script = refusing(500);
    await client.turn('Hello', FIRST);
    fixture.upstream.script = answering('Fine');
    const outcome = await Promise.all(Array.from({ length: 5 }, () => client.turn('Hello', RETRY)));
    expect(new Set(outcome.map(({ accepted }) => accepted?.conversationId)).size).toBe(5);
    expect(conversations()).toHaveLength(5);
    for (const conversationId of conversations()) expect(userMessages(conversationId)).toEqual(['Hello']);
  });

  it('opens another conversation where the account of the refused one cannot take the turn', async () => {
    const other = await connectAccount(fixture, running, client.caller, { label: 'other', models: ['m2'] });
    fixture.upstream.script = refusing(429);
    await client.turn('Hello', { ...FIRST, model: 'm1' });
    fixture.upstream.script = answering('Fine');
    const outcome = await client.turn('Hello', { ...RETRY, model: 'm2' });
    expect(outcome).toMatchObject({ text: 'Fine' });
    const bound = [...fixture.conversation.conversations.values()].find((one) => one.conversationId === outcome.accepted?.conversationId);
    expect(bound?.upstreamAccountId).toBe(other.id);
  });

  it('asks a stateful upstream again under the id of the turn that it may have taken', async () => {
    const script = new SandboxScript();
    fixture.upstream.script = script.serve;
    client = running.as(newCaller());
    await connectAccount(fixture, running, client.caller, {
      provider: 'sandbox',
      account: 'a',
      secret: 'right',
      baseUrl: fixture.upstream.url,
      models: [],
    });
    const conversationId = await open();
    script.refusal = { status: 500, code: 'internal_error' };
    await client.turn('How are you?', { ...FIRST, conversationId });
    await client.turn('How are you?', { ...FIRST, conversationId });
    script.refusal = undefined;
    expect(await again(conversationId)).toMatchObject({ text: 'Hello' });
    const [, first, second, third] = script.asked.map(({ body }) => body);
    expect(first).not.toHaveProperty('again');
    for (const body of [second, third]) expect(body).toEqual({ ...first, again: true });
    await client.turn('And now?', { conversationId, requestDigest: digest('c') });
    expect(script.asked.at(-1)?.body).toMatchObject({ client_turn_id: expect.not.stringMatching(String(first?.client_turn_id)) });
  });
});
