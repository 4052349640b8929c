import { describe, expect, it } from '@jest/globals';
import { parseTranscript } from './parse-transcript.ts';

const SEGMENT = { id: 0, start: 0, end: 1.5, text: ' the door', tokens: [1], avg_logprob: -0.2 };

describe('parseTranscript', () => {
  it('reads the times that a server returns', () => {
    const words = [{ word: 'the', start: 0.1, end: 0.4 }];
    expect(parseTranscript({ text: ' the door ', language: 'english', duration: '2.5', segments: [SEGMENT], words })).toEqual({
      ...{ text: 'the door', language: '', durationSeconds: 2.5 },
      segments: [{ text: 'the door', startSeconds: 0, endSeconds: 1.5 }],
      words: [{ text: 'the', startSeconds: 0.1, endSeconds: 0.4 }],
    });
    expect(parseTranscript({ text: 'x', language: 'en' })).toMatchObject({ language: 'en', segments: [], words: [] });
  });

  it.each([
    ['that run backwards', [{ ...SEGMENT, end: -1 }]],
    ['that end before they start', [{ ...SEGMENT, start: 2 }]],
    ['in no order', [{ ...SEGMENT, start: 1 }, SEGMENT]],
    ['that are no numbers', [{ ...SEGMENT, start: '0' }]],
    ['that are no list', 'none'],
  ])('takes times %s for none', (_name, segments) => {
    expect(parseTranscript({ text: 'the door', segments })).toMatchObject({ text: 'the door', segments: [] });
  });

  it('rejects an answer without a text', () => {
    for (const answer of [undefined, {}, { text: 7 }, 'the door']) expect(parseTranscript(answer)).toBeUndefined();
  });
});
