import { describe, expect, it } from '@jest/globals';
import { beforeEachOnCompatibleStage, type CompatibleStage } from '../../../test/compatible-stage.ts';
import { type ResponseScript } from '../testing/upstream.ts';

describe('whole answers of an openai-compatible upstream', () => {
  let stage: CompatibleStage;
  beforeEachOnCompatibleStage((entered) => (stage = entered));
  const json =
    (body: unknown): ResponseScript =>
    ({ res }) =>
      void res
        .writeHead(200, { 'content-type': 'application/json' })
        .end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  const whole = { stream: false };

  it('come with text, reason and counts', async () => {
    const body = {
      choices: [{ message: { content: 'Hi 你' }, finish_reason: 'length' }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    };
    const sink = await stage.run(json(body), whole);
    expect(sink).toMatchObject({ text: 'Hi 你', acceptances: 1 });
    expect(sink.outcomes).toEqual([{ finishReason: 'length', upstreamState: '', usage: { tokensIn: 1, tokensOut: 2 } }]);
    expect(stage.upstream.received[0]?.body).not.toHaveProperty('stream');
  });

  it('do without counts that are none', async () => {
    const body = { choices: [{ message: { content: 'Hi' } }], usage: { prompt_tokens: 'many' } };
    expect(await stage.run(json(body), whole)).toMatchObject({ text: 'Hi', outcomes: [{ finishReason: 'stop', usage: undefined }] });
  });

  it.each([
    ['no JSON', '{"choices":'],
    ['no choices', { choices: [] }],
    ['something else', { hello: 1 }],
    ['bad UTF-8', Buffer.from('{"choices":[{"message":{"content":"\xff"}}]}', 'latin1')],
    ['nothing', ''],
  ])('that are %s are refused', async (_name, body) => {
    expect(await stage.run(json(body), whole)).toMatchObject({
      acceptances: 0,
      outcomes: [{ error: { condition: 'PROVIDER_BAD_ANSWER' } }],
    });
  });

  it('of more than 8 MB are cut off', async () => {
    const sink = await stage.run(json(`"${'x'.repeat(9 * 1024 * 1024)}"`), whole);
    expect(sink).toMatchObject({ text: '', outcomes: [{ error: { condition: 'PROVIDER_BAD_ANSWER' } }] });
  });
});
