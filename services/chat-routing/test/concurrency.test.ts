import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type CreateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { type Client, turnRequest } from './client.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { answering, beginning, finish } from './openai-script.ts';

describe('turns at once on a connection', () => {
  let fixture: TestFixture;
  let running: Running;
  let client: Client;
  beforeAll(async () => {
    fixture = await openFixture();
    running = await fixture.start({ queue: { length: 2, waitMs: 10_000 } });
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    client = running.as(newCaller());
    fixture.upstream.script = beginning('part');
    fixture.upstream.received.length = 0;
  });
  afterEach(() => fixture.upstream.received.forEach(({ res }) => finish(res)));

  const connect = async (over: Partial<CreateConnectionRequest> = {}) => connectAccount(fixture, running, client.caller, over);
  const asked = () => fixture.upstream.received;
  const whoAsked = () => asked().map(({ headers }) => headers.authorization);

  it('begin in the order in which they came as others end, and each is recorded as it went', async () => {
    await connect({ maxConcurrency: 1 });
    const turns = ['one', 'two', 'three'].map((text) => client.open(turnRequest(text)));
    await waitFor(() => turns[0]?.text === 'part');
    expect(asked()).toHaveLength(1);
    for (const [index, turn] of turns.entries()) {
      await waitFor(() => asked().length === index + 1);
      expect(asked()[index]?.body['messages']).toMatchObject([{ content: ['one', 'two', 'three'][index] }]);
      finish(asked()[index]?.res);
      await turn.over;
      expect(turn).toMatchObject({ text: 'part', error: undefined, ends: 1 });
    }
  });

  it('are refused before anything is recorded when too many wait, for new and for bound conversations', async () => {
    fixture.upstream.script = answering('Hi');
    await connect({ maxConcurrency: 1 });
    const { accepted } = await client.turn('Hello');
    fixture.upstream.script = beginning('part');
    const turns = ['one', 'two', 'three'].map((text) => client.open(turnRequest(text)));
    await waitFor(() => turns[0]?.text === 'part');
    const before = fixture.conversation.turns.size;
    const conversationId = accepted?.conversationId ?? '';
    for (const over of [{}, { conversationId }, { idempotencyKey: 'k', requestDigest: Buffer.alloc(32) }]) {
      const outcome = await client.turn('one too many', over);
      expect(outcome).toMatchObject({ error: { condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: 1_000 }, recorded: false, ends: 1 });
    }
    expect(fixture.conversation.turns.size).toBe(before);
    for (const turn of turns) {
      await waitFor(() => asked().some(({ res }) => !res.writableEnded));
      asked().forEach(({ res }) => finish(res));
      await turn.over;
    }
    // A refusal of ours says nothing of the account.
    expect(await client.refusal({ conversationId, stream: false, messages: [] })).toBe('VALIDATION_ERROR');
    fixture.upstream.script = answering('Hi');
    expect(await client.refusal({ conversationId })).toBe('');
  });

  it('go to another account with a free slot before they wait, and wait only when none has one', async () => {
    await connect({ label: 'a', secret: 'sk-a', maxConcurrency: 1 });
    await connect({ label: 'b', secret: 'sk-b', maxConcurrency: 1 });
    const turns = ['one', 'two', 'three'].map((text) => client.open(turnRequest(text)));
    await waitFor(() => asked().length === 2);
    expect(whoAsked().sort()).toEqual(['Bearer sk-a', 'Bearer sk-b']);
    finish(asked()[0]?.res);
    finish(asked()[1]?.res);
    await waitFor(() => asked().length === 3);
    finish(asked()[2]?.res);
    for (const turn of turns) await expect(turn.over).resolves.toMatchObject({ text: 'part', error: undefined });
  });

  it('leave the queue with the client who gives up', async () => {
    await connect({ maxConcurrency: 1 });
    const [first, second, third] = ['one', 'two', 'three'].map((text) => client.open(turnRequest(text)));
    await waitFor(() => first?.text === 'part');
    second?.call?.cancel();
    finish(asked()[0]?.res);
    await waitFor(() => asked().length === 2);
    expect(asked()[1]?.body['messages']).toMatchObject([{ content: 'three' }]);
    finish(asked()[1]?.res);
    await third?.over;
    expect(asked()).toHaveLength(2);
  });

  it('hold no slot while they wait for their own first attempt', async () => {
    await connect({ maxConcurrency: 2 });
    let begins = 0;
    fixture.conversation.after = ({ $case }) => void ($case === 'begin' && begins++);
    const once = { idempotencyKey: 'k', requestDigest: Buffer.alloc(32) };
    const first = client.open(turnRequest('slow', once));
    await waitFor(() => first.text === 'part');
    const repeated = client.open(turnRequest('slow', once));
    await waitFor(() => begins === 2);
    const other = client.open(turnRequest('another conversation'));
    await waitFor(() => other.text === 'part');
    fixture.conversation.after = () => undefined;
    asked().forEach(({ res }) => finish(res));
    for (const turn of [first, repeated, other]) await expect(turn.over).resolves.toMatchObject({ text: 'part', error: undefined });
  });

  it('follow a change of the operator at once', async () => {
    const { id } = await connect({ maxConcurrency: 1 });
    const turns = ['one', 'two', 'three'].map((text) => client.open(turnRequest(text)));
    await waitFor(() => turns[0]?.text === 'part');
    const changed = await running.stub.updateConnection({ id, maxConcurrency: 0 }, { caller: client.caller });
    expect(changed.maxConcurrency).toBeUndefined();
    await waitFor(() => asked().length === 3);
  });

  it('are bounded by the setting where the operator names no number', async () => {
    const small = await fixture.start({ concurrency: 1, queue: { length: 0, waitMs: 10_000 } });
    const other = small.as(newCaller());
    await connectAccount(fixture, small, other.caller);
    const first = other.open(turnRequest('one'));
    await waitFor(() => first.text === 'part');
    await expect(other.refusal()).resolves.toBe('PROVIDER_RATE_LIMITED');
    await small.stop();
  });

  it('keep to what one process has sockets for', async () => {
    await expect(connect({ maxConcurrency: 4_097 })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'max_concurrency' });
  });
});
