import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { type Client, turnRequest } from './client.ts';
import { type TestFixture } from './fixture.ts';
import { answering, beginning, finish, refusing } from './openai-script.ts';
import { lastTurn, LISTEN, openTurnFixture, settle } from './turn-fixture.ts';

describe.each(LISTEN)('repeated turns, record reached %s', (listen) => {
  let fixture: TestFixture;
  let client: Client;
  beforeAll(async () => {
    ({ fixture, client } = await openTurnFixture(listen));
  });
  afterAll(() => fixture.close());
  beforeEach(() => settle(fixture));

  const digest = (text: string) => Buffer.alloc(32, text);

  it.each([true, false])('answers a repeated request with its first turn (stream: %p)', async (stream) => {
    const over = { stream, idempotencyKey: `key-${stream}`, requestDigest: digest('a') };
    const first = await client.turn('Hello', over);
    fixture.upstream.script = answering('something else');
    const asked = fixture.upstream.received.length;
    const second = await client.turn('Hello', over);
    expect(fixture.upstream.received).toHaveLength(asked);
    expect(second).toMatchObject({
      accepted: { ...first.accepted, created: expect.any(Number) },
      text: first.text,
      completed: first.completed,
    });
    const other = await client.turn('Hello', { ...over, requestDigest: digest('b') });
    expect(other.error).toMatchObject({ condition: 'VALIDATION_ERROR', param: 'Idempotency-Key' });
  });

  it('waits for a first turn that still runs', async () => {
    fixture.upstream.script = beginning('slow');
    const over = { idempotencyKey: 'twins', requestDigest: digest('a') };
    const first = client.open(turnRequest('Hello', over));
    await waitFor(() => first.text === 'slow');
    const second = client.open(turnRequest('Hello', over));
    finish(fixture.upstream.received.at(-1)?.res, ' but sure');
    await Promise.all([first.over, second.over]);
    expect(second).toMatchObject({ text: 'slow but sure', accepted: { conversationId: first.accepted?.conversationId } });
    expect(fixture.upstream.received).toHaveLength(1);
  });

  it('asks again for what broke off, in its conversation and without repeating the message', async () => {
    fixture.upstream.script = beginning('slow');
    const over = { idempotencyKey: 'broken-off', requestDigest: digest('a') };
    const first = client.open(turnRequest('Hello', over));
    await waitFor(() => first.text === 'slow');
    first.call?.cancel();
    await waitFor(() => lastTurn(fixture)?.end?.status === 'interrupted');
    fixture.upstream.script = answering('Hi there');
    const second = await client.turn('Hello', over);
    expect(second).toMatchObject({ text: 'Hi there', accepted: { conversationId: first.accepted?.conversationId } });
    expect(lastTurn(fixture)?.begin.messages).toEqual([]);
    const third = await client.turn('Hello', over);
    const { conversationId, messageId } = second.accepted ?? {};
    expect(third).toMatchObject({ text: 'Hi there', accepted: { conversationId, messageId } });
    expect(fixture.upstream.received).toHaveLength(2);
  });

  it.each([400, 503])('asks again for what an upstream refused with %i', async (status) => {
    fixture.upstream.script = refusing(status);
    const over = { idempotencyKey: `refused-${status}`, requestDigest: digest('a') };
    expect((await client.turn('Hello', over)).error).toBeDefined();
    expect((await client.turn('Hello', over)).error).toBeDefined();
    fixture.upstream.script = answering('Hi there');
    const outcome = await client.turn('Hello', over);
    expect(outcome).toMatchObject({ text: 'Hi there', error: undefined });
    expect(fixture.conversation.turnsOf(outcome.accepted?.conversationId ?? '').map(({ end }) => end?.status)).toEqual([
      'failed',
      'failed',
      'completed',
    ]);
  });

  it('ends a turn whose start was committed without an answer', async () => {
    fixture.conversation.after = ({ $case }) => {
      if ($case === 'begin') throw new GatewayError('SERVICE_UNAVAILABLE', 'cut');
    };
    const outcome = await client.turn('Hello', { idempotencyKey: 'unknown', requestDigest: digest('a') });
    expect(outcome).toMatchObject({ error: { condition: 'SERVICE_UNAVAILABLE' } });
    await waitFor(() => lastTurn(fixture)?.end);
    expect(lastTurn(fixture)?.end).toMatchObject({ status: 'failed', text: '' });
    expect(fixture.upstream.received).toEqual([]);
  });
});
