import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { type Client, say } from './client.ts';
import { type House } from './house.ts';
import { answering, beginning, finish, refusing } from './openai-script.ts';
import { lastTurn, LISTEN, openTurnHouse, settle } from './turn-house.ts';

describe.each(LISTEN)('repeated turns, record reached %s', (listen) => {
  let house: House;
  let client: Client;
  beforeAll(async () => {
    ({ house, client } = await openTurnHouse(listen));
  });
  afterAll(() => house.close());
  beforeEach(() => settle(house));

  const digest = (text: string) => Buffer.alloc(32, text);

  it.each([true, false])('answers a repeated request with its first turn (stream: %p)', async (stream) => {
    const over = { stream, idempotencyKey: `key-${stream}`, requestDigest: digest('a') };
    const first = await client.turn('Hello', over);
    house.upstream.script = answering('something else');
    const asked = house.upstream.received.length;
    const second = await client.turn('Hello', over);
    expect(house.upstream.received).toHaveLength(asked);
    expect(second).toMatchObject({
      accepted: { ...first.accepted, created: expect.any(Number) },
      text: first.text,
      completed: first.completed,
    });
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

  it('asks anew for what broke off, in its conversation and without saying it twice', async () => {
    house.upstream.script = beginning('slow');
    const over = { idempotencyKey: 'broken-off', requestDigest: digest('a') };
    const first = client.open(say('Hello', over));
    await waitFor(() => first.text === 'slow');
    first.exchange?.cancel();
    await waitFor(() => lastTurn(house)?.end?.status === 'interrupted');
    house.upstream.script = answering('Hi there');
    const second = await client.turn('Hello', over);
    expect(second).toMatchObject({ text: 'Hi there', accepted: { conversationId: first.accepted?.conversationId } });
    expect(lastTurn(house)?.begin.messages).toEqual([]);
    const third = await client.turn('Hello', over);
    expect(third).toMatchObject({ text: 'Hi there', accepted: second.accepted });
    expect(house.upstream.received).toHaveLength(2);
  });

  it.each([400, 503])('asks anew for what an upstream refused with %i', async (status) => {
    house.upstream.script = refusing(status);
    const over = { idempotencyKey: `refused-${status}`, requestDigest: digest('a') };
    expect((await client.turn('Hello', over)).error).toBeDefined();
    expect((await client.turn('Hello', over)).error).toBeDefined();
    house.upstream.script = answering('Hi there');
    const heard = await client.turn('Hello', over);
    expect(heard).toMatchObject({ text: 'Hi there', error: undefined });
    expect(house.conversation.turnsOf(heard.accepted?.conversationId ?? '').map(({ end }) => end?.status)).toEqual([
      'failed',
      'failed',
      'completed',
    ]);
  });

  it('ends a turn whose beginning was written and nobody learned it', async () => {
    house.conversation.after = ({ $case }) => {
      if ($case === 'begin') throw new GatewayError('SERVICE_UNAVAILABLE', 'cut');
    };
    const heard = await client.turn('Hello', { idempotencyKey: 'unknown', requestDigest: digest('a') });
    expect(heard).toMatchObject({ error: { condition: 'SERVICE_UNAVAILABLE' } });
    await waitFor(() => lastTurn(house)?.end);
    expect(lastTurn(house)?.end).toMatchObject({ status: 'failed', text: '' });
    expect(house.upstream.received).toEqual([]);
  });
});
