import { beforeEach, describe, expect, it } from '@jest/globals';
import { type StreamObserver } from '@parley/kit/rpc/multiplexed-call';
import { GatewayError } from '@parley/protos/errors';
import { type TurnEvent, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type JsonValue } from '../src/domain/json.ts';
import { chatExecutor } from '../src/steps/chat.ts';
import { BAD_PAYLOAD, failureOf, NEVER, RUN_ID, runStep, stepRequest } from './step-fixture.ts';

describe('chat', () => {
  let turns: TurnRequest[];
  let play: (inlet: StreamObserver<TurnEvent>) => void;
  const accepted = { conversationId: 'c', messageId: 'm', model: 'sandbox-1', created: 1 };
  const completed = { finishReason: 'stop', tokensIn: 2, reasoning: '', tokensOut: 3, text: 'Blue.' };
  const executor = chatExecutor({
    turns: (turn, inlet) => {
      turns.push(turn);
      queueMicrotask(() => play(inlet));
      return { cancel: () => undefined, pause: () => undefined, resume: () => undefined };
    },
  });
  const messages = [
    { role: 'developer', content: 'Be short.' },
    { role: 'user', content: 'Which colour?' },
  ];
  beforeEach(() => {
    turns = [];
    play = (inlet) => {
      inlet.message({ event: { $case: 'accepted', value: accepted } });
      inlet.message({ event: { $case: 'completed', value: completed } });
      inlet.end();
    };
  });

  it('is a turn in the caller’s name, which is asked for once', async () => {
    await expect(runStep(executor, { model: 'm1', messages })).resolves.toMatchObject({
      statusCode: 200,
      body: {
        ...{ id: 'chatcmpl-m', object: 'chat.completion', conversation_id: 'c', model: 'sandbox-1' },
        choices: [{ message: { role: 'assistant', content: 'Blue.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
      },
    });
    await runStep(executor, { model: 'm1', messages });
    await runStep(executor, { messages });
    const [one, same, other] = turns;
    expect(one).toMatchObject({
      model: 'm1',
      stream: false,
      idempotencyKey: `${RUN_ID}:step`,
      messages: [{ role: 'system' }, { role: 'user', text: 'Which colour?' }],
    });
    expect(one?.requestDigest).toEqual(same?.requestDigest);
    expect(other).toMatchObject({ model: 'auto' });
    expect(other?.requestDigest).not.toEqual(one?.requestDigest);
  });

  it('asks under one key however often the step is taken up, and anew for what failed before', async () => {
    await executor.execute(stepRequest({}, { payload: { messages } }), NEVER);
    await executor.execute(stepRequest({}, { payload: { messages } }), NEVER);
    await executor.execute(stepRequest({}, { payload: { messages }, retries: 2 }), NEVER);
    expect(turns.map(({ idempotencyKey }) => idempotencyKey)).toEqual([`${RUN_ID}:step`, `${RUN_ID}:step`, `${RUN_ID}:step:retry-2`]);
    expect(turns[1]?.requestDigest).toEqual(turns[0]?.requestDigest);
  });

  it.each<JsonValue | undefined>([
    undefined,
    'text',
    {},
    { messages: [] },
    { messages: 'x' },
    { messages: [{ role: 'tool', content: 'x' }] },
    { messages: [{ role: 'toString', content: 'x' }] },
    { messages: [{ role: 'user', content: [1] }] },
    { messages, model: 1 },
  ])('refuses the payload %j', async (payload) => {
    await expect(failureOf(executor, payload)).resolves.toEqual(BAD_PAYLOAD);
    expect(turns).toEqual([]);
  });

  it('fails as the turn does', async () => {
    play = (inlet) => inlet.fail(new GatewayError('ACCOUNT_NOT_CONNECTED', 'none'));
    await expect(failureOf(executor, { messages })).resolves.toEqual({ condition: 'ACCOUNT_NOT_CONNECTED', effect: 'none' });
    play = (inlet) => inlet.fail(new GatewayError('PROVIDER_TIMEOUT', 'late'));
    await expect(failureOf(executor, { messages })).resolves.toEqual({ condition: 'PROVIDER_TIMEOUT', effect: 'unknown' });
    play = (inlet) => inlet.end();
    await expect(failureOf(executor, { messages })).resolves.toEqual({ condition: 'INTERNAL_ERROR', effect: 'unknown' });
  });
});
