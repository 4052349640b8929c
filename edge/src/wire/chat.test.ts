import { describe, expect, it } from '@jest/globals';
import { chatChunk, chatResponse } from '../routes/chat/schema.ts';
import { ChatChunkWriter, toChatCompletion } from './chat.ts';

const accepted = {
  conversationId: '01a1fdde-fed9-75a1-9e14-598252566435',
  messageId: '01a1fdde-fed9-75a1-9e14-598252566436',
  model: 'a "quoted" model',
  created: 1_795_000_000,
};
const completed = { finishReason: 'stop', tokensIn: 3, tokensOut: 4, text: 'Hi\n"there"', reasoning: '' };

/** The events of a stream as clients read them. */
function events(frames: string): unknown[] {
  expect(frames.endsWith('\n\n')).toBe(true);
  const data = frames
    .trimEnd()
    .split('\n\n')
    .map((frame) => frame.replace(/^data: /, ''));
  return data.map((text) => (text === '[DONE]' ? text : (JSON.parse(text) as unknown)));
}

describe('toChatCompletion', () => {
  it('is what the API description promises', () => {
    expect(chatResponse.parse(toChatCompletion(accepted, completed))).toMatchObject({
      id: `chatcmpl-${accepted.messageId}`,
      choices: [{ message: { content: 'Hi\n"there"' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    });
  });

  it('has what the model thought, where it did', () => {
    const message = (reasoning: string) => chatResponse.parse(toChatCompletion(accepted, { ...completed, reasoning })).choices[0]?.message;
    expect(message('Hm.')).toMatchObject({ content: completed.text, reasoning_content: 'Hm.' });
    expect(message('')).not.toHaveProperty('reasoning_content');
  });

  it('calls every end that the field does not know a stop', () => {
    expect(toChatCompletion(accepted, { ...completed, finishReason: 'eos' }).choices[0]?.finish_reason).toBe('stop');
    expect(toChatCompletion(accepted, { ...completed, finishReason: 'length' }).choices[0]?.finish_reason).toBe('length');
  });
});

describe('ChatChunkWriter', () => {
  const chunks = new ChatChunkWriter(accepted);

  it('begins with the role and says where the conversation goes on', () => {
    const [first] = events(chunks.first());
    expect(chatChunk.parse(first)).toMatchObject({
      conversation_id: accepted.conversationId,
      choices: [{ delta: { role: 'assistant', content: '' } }],
    });
  });

  it('has one event for each delta', () => {
    const texts = ['He', 'llo "x"\n', '\u2028é'];
    const parsed = events(chunks.deltas(texts)).map((event) => chatChunk.parse(event));
    expect(parsed.map(({ choices }) => choices[0]?.delta.content)).toEqual(texts);
    expect(new Set(parsed.map(({ id }) => id)).size).toBe(1);
  });

  it('keeps what the model thinks apart from the text', () => {
    const [event] = events(chunks.reasoning(['H"m']));
    expect(chatChunk.parse(event).choices).toEqual([{ index: 0, delta: { reasoning_content: 'H"m' }, finish_reason: null }]);
  });

  it('ends with the finish reason, response.completed, the usage where it is asked for, and [DONE]', () => {
    const all = events(chunks.completed(completed, true));
    expect(all).toMatchObject([
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      { choices: [{ finish_reason: null }], lifecycle_event: { type: 'response.completed' } },
      { choices: [], usage: { total_tokens: 7 } },
      '[DONE]',
    ]);
    expect(events(chunks.completed(completed, false))).toHaveLength(3);
  });

  it('fails with response.failed, then the error, then [DONE]', () => {
    const error = { code: 'PROVIDER_TIMEOUT', message: 'late', type: 'timeout_error', request_id: 'r', retryable: true };
    expect(events(chunks.failed({ error }))).toMatchObject([
      {
        choices: [{ delta: {}, finish_reason: 'error' }],
        lifecycle_event: { type: 'response.failed', error: { code: 'PROVIDER_TIMEOUT', retryable: true } },
      },
      { error: { code: 'PROVIDER_TIMEOUT', request_id: 'r' } },
      '[DONE]',
    ]);
  });
});
