import { describe, expect, it } from '@jest/globals';
import { beforeEachOnCompatibleStage, chunk, type CompatibleStage, DONE, STOP } from '../../../test/compatible-stage.ts';
import { streaming } from '../testing/upstream.ts';

const delta = (fields: object) => `data: ${JSON.stringify({ choices: [{ delta: fields }] })}\n\n`;
const whole = (message: object, finish_reason = 'stop') => JSON.stringify({ choices: [{ message, finish_reason }] });
const PARTS = [{ type: 'text', text: 'Hel' }, { type: 'text', text: 'lo' }, { type: 'of_tomorrow' }, null];
const THINKING = [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }];

describe('answers of an openai-compatible upstream', () => {
  let stage: CompatibleStage;
  beforeEachOnCompatibleStage((entered) => (stage = entered));
  const answering = (body: string) =>
    stage.run(({ res }) => void res.writeHead(200, { 'content-type': 'application/json' }).end(body), { stream: false });

  it.each([
    ['parts', { content: PARTS }, { text: 'Hello', thoughts: '' }, 'stop'],
    ['a refusal', { content: null, refusal: 'No.' }, { text: 'No.', thoughts: '' }, 'content_filter'],
    ['a refusal in a part', { content: [{ type: 'refusal', refusal: 'No.' }] }, { text: 'No.', thoughts: '' }, 'content_filter'],
    ['reasoning_content', { content: 'Hi', reasoning_content: 'Hm.' }, { text: 'Hi', thoughts: 'Hm.' }, 'stop'],
    ['reasoning', { content: 'Hi', reasoning: 'Hm.' }, { text: 'Hi', thoughts: 'Hm.' }, 'stop'],
    ['both in one', { content: 'Hi', reasoning_content: 'Hm.', reasoning: 'Hm.' }, { text: 'Hi', thoughts: 'Hm.' }, 'stop'],
    ['a part that thinks', { content: [...THINKING, ...PARTS] }, { text: 'Hello', thoughts: 'Hm.' }, 'stop'],
    ['reasoning that is none', { content: 'Hi', reasoning: { effort: 'low' } }, { text: 'Hi', thoughts: '' }, 'stop'],
  ])('may be %s, streamed or whole', async (_name, message, expected, finishReason) => {
    const outcomes = [{ finishReason }];
    expect(await stage.run(streaming(delta(message), STOP, DONE))).toMatchObject({ ...expected, outcomes, acceptances: 1 });
    expect(await answering(whole(message))).toMatchObject({ ...expected, outcomes, acceptances: 1 });
  });

  it('is accepted when the model reasons, before it sends text', async () => {
    const events: string[] = [];
    const { sink } = stage.start(
      streaming(delta({ role: 'assistant', reasoning_content: 'Let me ' }), delta({ reasoning_content: 'see.' }), chunk('Hi'), STOP, DONE),
    );
    sink.accepted = () => void events.push('accepted');
    sink.reasoning = (texts) => void events.push(...texts);
    sink.deltas = (texts) => void events.push(...texts);
    await new Promise<void>((resolve) => (sink.finished = () => resolve()));
    expect(events).toEqual(['accepted', 'Let me ', 'see.', 'Hi']);
  });

  it('keeps its order when text and thoughts come in the same bytes', async () => {
    const events: string[] = [];
    const { sink } = stage.start(streaming(chunk('a') + delta({ reasoning: 'b' }) + chunk('c') + chunk('d') + STOP + DONE));
    sink.reasoning = (texts) => void events.push(`(${texts.join('')})`);
    sink.deltas = (texts) => void events.push(texts.join(''));
    await new Promise<void>((resolve) => (sink.finished = () => resolve()));
    expect(events).toEqual(['a', '(b)', 'cd']);
  });

  it('is passed on in full when chunks repeat the same reasoning', async () => {
    const both = (content: string) => delta({ content, reasoning: 'x' });
    const sink = await stage.run(
      streaming(both('a') + both('b') + chunk('c') + both('d') + delta({ content: 'e', refusal: 'f' }) + chunk('g'), STOP, DONE),
    );
    expect(sink).toMatchObject({ text: 'abcdefg', thoughts: 'xxx', outcomes: [{ finishReason: 'content_filter' }] });
  });

  it('has counts whose details do not matter, or none', async () => {
    const usage = (counts: unknown) => `data: ${JSON.stringify({ choices: [], usage: counts })}\n\n`;
    const details = { prompt_tokens_details: { cached_tokens: 2 }, completion_tokens_details: { reasoning_tokens: 1 } };
    const counted = await stage.run(streaming(chunk('x'), STOP, usage({ prompt_tokens: 3, completion_tokens: 4, ...details }), DONE));
    expect(counted.outcomes).toMatchObject([{ usage: { tokensIn: 3, tokensOut: 4 } }]);
    for (const none of [
      'many',
      { prompt_tokens: 'many' },
      { prompt_tokens: -1, completion_tokens: 1 },
      { prompt_tokens: 1.5, completion_tokens: 1 },
    ])
      expect((await stage.run(streaming(chunk('x'), STOP, usage(none), DONE))).outcomes).toMatchObject([{ usage: undefined }]);
  });

  it.each<[string, string]>([
    [JSON.stringify({ error: { code: 429, message: 'slow' } }), 'PROVIDER_RATE_LIMITED'],
    [JSON.stringify({ object: 'error', message: 'The model broke', code: 500 }), 'PROVIDER_BAD_ANSWER'],
    [JSON.stringify({ error: { code: 'context_length_exceeded' } }), 'PROVIDER_REJECTED_REQUEST'],
  ])('may be a failure behind a status of 200: %s', async (failure, condition) => {
    expect(await stage.run(streaming(`data: ${failure}\n\n`))).toMatchObject({ acceptances: 0, outcomes: [{ error: { condition } }] });
    expect(await answering(failure)).toMatchObject({ acceptances: 0, outcomes: [{ error: { condition } }] });
  });

  it('is no answer when it is JSON and no chunk', async () => {
    const ping = 'data: {"type":"ping"}\n\n';
    expect(await stage.run(streaming(ping))).toMatchObject({ acceptances: 0, outcomes: [{ error: { condition: 'PROVIDER_BAD_ANSWER' } }] });
    expect(await stage.run(streaming(ping, chunk('x'), ping, STOP, DONE))).toMatchObject({
      text: 'x',
      outcomes: [{ finishReason: 'stop' }],
    });
  });
});
