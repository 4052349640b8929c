import { describe, expect, it } from '@jest/globals';
import { upstreamTurn } from '../testing/sink.ts';
import { type UpstreamTurn } from '../upstream-turn.ts';
import { NO_HISTORY, toResponsesRequest } from './turn-request.ts';

const said = (role: string, text: string) => ({ id: text, role, text, parts: [], files: [], status: 'completed' });
const request = (over: Partial<UpstreamTurn> = {}, messages: ReturnType<typeof said>[] = []) =>
  toResponsesRequest(upstreamTurn('http://u', over), 'conv_1', { ...NO_HISTORY, messages }, 'search');

describe('requests to the official API', () => {
  it('joins messages of one role that follow each other, and leaves out empty answers', () => {
    const image = { content: { $case: 'imageUrl', value: 'data:image/png;base64,AA==' } } as const;
    const messages = [{ role: 'user', text: 'Look', parts: [image] }];
    expect(request({ messages }, [said('user', 'one'), said('assistant', ''), said('user', 'two'), said('assistant', 'ok')]).input).toEqual(
      [
        { role: 'user', content: 'one\n\ntwo' },
        { role: 'assistant', content: 'ok' },
        { role: 'user', content: [expect.objectContaining({ type: 'input_image' }), { type: 'input_text', text: 'Look' }] },
      ],
    );
    expect(request({ messages }, [said('user', 'one')]).input).toEqual([
      { role: 'user', content: [{ type: 'input_text', text: 'one' }, expect.objectContaining({ type: 'input_image' }), expect.anything()] },
    ]);
  });

  it('has the parameters that are passed on by the names they have there', () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' }, strict: true } };
    const parameters = { temperature: 0, top_p: 1, max_tokens: 5, response_format, stop: ['a'], seed: 1, model: 'other', store: false };
    const { model, store, ...body } = request({ parameters });
    expect(body).toMatchObject({
      ...{ temperature: 0, top_p: 1, max_output_tokens: 5 },
      text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object' }, strict: true } },
    });
    expect([model, store]).toEqual(['m1', true]);
    expect(Object.keys(body).filter((name) => ['stop', 'seed', 'max_tokens', 'response_format'].includes(name))).toEqual([]);
    expect(request({ parameters: { max_tokens: 5, max_completion_tokens: 7 } })).toMatchObject({ max_output_tokens: 7 });
    expect(request({ parameters: { temperature: 'hot', response_format: 'json' } })).not.toHaveProperty('temperature');
  });
});
