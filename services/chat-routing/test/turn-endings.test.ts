import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { type Client, turnRequest } from './client.ts';
import { type TestFixture } from './fixture.ts';
import { begin, beginning, finish } from './openai-script.ts';
import { lastTurn, LISTEN, openTurnFixture, settle, findTurn } from './turn-fixture.ts';

describe.each(LISTEN)('turns to their end, record reached %s', (listen) => {
  let fixture: TestFixture;
  let client: Client;
  beforeAll(async () => {
    ({ fixture, client } = await openTurnFixture(listen));
  });
  afterAll(() => fixture.close());
  beforeEach(() => settle(fixture));

  it('records a client that leaves as interrupted, once, with what came', async () => {
    fixture.upstream.script = beginning('part of it');
    const outcome = client.open(turnRequest('Hello'));
    await waitFor(() => outcome.text === 'part of it');
    outcome.call?.cancel();
    await waitFor(() => fixture.upstream.received.at(-1)?.isClosed, { everyMs: 5 });
    const turn = await waitFor(() => findTurn(fixture, outcome.accepted?.conversationId));
    await waitFor(() => turn.end);
    expect(turn).toMatchObject({ ends: 1, end: { status: 'interrupted', text: 'part of it', tokensIn: 1, tokensOut: 3 } });
    expect(outcome.ends).toBe(0);
  });

  it('records a client that leaves before anything came', async () => {
    fixture.upstream.script = () => undefined;
    const outcome = client.open(turnRequest('Hello'));
    await waitFor(() => fixture.upstream.received.length === 1);
    outcome.call?.cancel();
    await waitFor(() => fixture.upstream.received[0]?.isClosed);
    await waitFor(() => lastTurn(fixture)?.end?.status === 'interrupted');
    expect(lastTurn(fixture)?.end).toMatchObject({ text: '', tokensIn: 0, tokensOut: 0 });
  });

  it('bounds the whole turn', async () => {
    const hasty = await fixture.start({ turnMs: 300 });
    fixture.upstream.script = beginning('part');
    const outcome = await hasty.as(client.caller).turn('Hello');
    expect(outcome).toMatchObject({ text: 'part', recorded: true, error: { condition: 'PROVIDER_TIMEOUT' } });
    await waitFor(() => fixture.upstream.received.at(-1)?.isClosed);
    expect(findTurn(fixture, outcome.accepted?.conversationId)?.end).toMatchObject({ status: 'failed', text: 'part' });
    await hasty.stop();
  });

  /** Ends that the record cannot take, for whatever reason, until `isDown` is false. */
  function takeAway(condition: 'SERVICE_UNAVAILABLE' | 'CONVERSATION_NOT_FOUND') {
    const record = { isDown: true, attempts: 0 };
    fixture.conversation.before = ({ $case }) => {
      if ($case !== 'end') return;
      record.attempts++;
      if (record.isDown) throw new GatewayError(condition, 'the database is not available');
    };
    return record;
  }

  it.each(['SERVICE_UNAVAILABLE', 'CONVERSATION_NOT_FOUND'] as const)(
    'waits for a record that is away, and answers when it is back (%s)',
    async (condition) => {
      const record = takeAway(condition);
      const outcome = client.open(turnRequest('Hello'));
      await waitFor(() => record.attempts > 6);
      expect(outcome.ends).toBe(0);
      record.isDown = false;
      await outcome.over;
      expect(outcome).toMatchObject({ text: 'Hi there', error: undefined });
      expect(findTurn(fixture, outcome.accepted?.conversationId)?.end).toMatchObject({ status: 'completed', text: 'Hi there' });
    },
  );

  it.each(['SERVICE_UNAVAILABLE', 'CONVERSATION_NOT_FOUND'] as const)(
    'records what the client has heard when the record was away for too long (%s)',
    async (condition) => {
      const hasty = await fixture.start({}, { recordWaitMs: 200 });
      const record = takeAway(condition);
      const outcome = await hasty.as(client.caller).turn('Hello');
      expect(outcome).toMatchObject({
        text: 'Hi there',
        completed: undefined,
        recorded: true,
        error: { condition: 'SERVICE_UNAVAILABLE' },
      });
      record.isDown = false;
      const turn = await waitFor(() => findTurn(fixture, outcome.accepted?.conversationId));
      const end = await waitFor(() => turn.end);
      expect(end).toMatchObject({ status: 'failed', text: 'Hi there', finishReason: 'error', error: { condition: 'SERVICE_UNAVAILABLE' } });
      await hasty.stop();
    },
  );

  it('answers SERVICE_UNAVAILABLE when the turn was closed before, and does not retry', async () => {
    fixture.upstream.script = beginning('part');
    const outcome = client.open(turnRequest('Hello'));
    await waitFor(() => outcome.text === 'part');
    const turn = await waitFor(() => findTurn(fixture, outcome.accepted?.conversationId));
    turn.end = { ...({} as NonNullable<typeof turn.end>), status: 'interrupted', text: '' };
    finish(fixture.upstream.received.at(-1)?.res);
    await outcome.over;
    expect(outcome).toMatchObject({ completed: undefined, recorded: true, error: { condition: 'SERVICE_UNAVAILABLE' } });
    expect(turn.ends).toBe(1);
  });

  it('keeps what a long answer has so far', async () => {
    fixture.upstream.script = beginning('a');
    const outcome = client.open(turnRequest('Hello'));
    await waitFor(() => outcome.text === 'a');
    const { res } = fixture.upstream.received.at(-1) ?? {};
    const more = setInterval(() => res?.write(`data: ${JSON.stringify({ choices: [{ delta: { content: 'b' } }] })}\n\n`), 100);
    await waitFor(() => fixture.conversation.partials.length > 0);
    clearInterval(more);
    expect(fixture.conversation.partials[0]?.text).toMatch(/^ab+$/);
    finish(res);
    await outcome.over;
  });

  it('gives a slow client everything in the end', async () => {
    const text = 'x'.repeat(16 * 1024);
    fixture.upstream.script = ({ res }) => {
      begin(res, text);
      for (let n = 1; n < 400; n++) res.write(`data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`);
      finish(res);
    };
    const outcome = client.open(turnRequest('Hello'));
    outcome.call?.pause();
    await waitFor(() => fixture.upstream.received.length > 0);
    const steps = setInterval(() => {
      outcome.call?.resume();
      outcome.call?.pause();
    }, 5);
    await waitFor(() => outcome.text.length > 1024 * 1024);
    clearInterval(steps);
    expect(outcome.ends).toBe(0);
    outcome.call?.resume();
    await outcome.over;
    expect(outcome.text.length).toBe(400 * text.length);
    expect(outcome.error).toBeUndefined();
  });

  it('does not keep an answer without end', async () => {
    const text = 'x'.repeat(64 * 1024);
    fixture.upstream.script = ({ res }) => {
      const event = `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`;
      const more = () => {
        while (!res.destroyed && res.write(event));
      };
      res.on('drain', more);
      begin(res, '');
      more();
    };
    const outcome = await client.turn('Hello', { stream: false });
    expect(outcome).toMatchObject({ recorded: true, error: { condition: 'PROVIDER_BAD_ANSWER' } });
    expect(lastTurn(fixture)?.end?.text.length).toBeLessThan(9 * 1024 * 1024);
  });
});
