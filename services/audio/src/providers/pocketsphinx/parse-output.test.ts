import { describe, expect, it } from '@jest/globals';
import { parseOutput } from './parse-output.ts';

describe('parseOutput', () => {
  it('returns each utterance as a segment, from its first word to its last, without silence and noise', () => {
    const output = [
      ...['the door', '<s> 0.000 0.120 1.000200', 'the(2) 0.130 0.390 0.952366', '<sil> 0.400 0.500 0.9', 'door 0.510 0.810 0.642331'],
      ...['[NOISE] 0.820 0.900 0.3', '++BREATH++ 0.910 0.950 0.3', '</s> 0.960 1.100 1.000000'],
      ...['is blue', '<s> 2.000 2.120 1.000200', 'is 2.130 2.390 -inf', 'blue 2.400 2.810 0.642331', ''],
    ].join('\n');
    expect(parseOutput(output)).toEqual({
      text: 'the door is blue',
      segments: [
        { text: 'the door', startSeconds: 0.13, endSeconds: 0.81 },
        { text: 'is blue', startSeconds: 2.13, endSeconds: 2.81 },
      ],
      words: [
        { text: 'the', startSeconds: 0.13, endSeconds: 0.39 },
        { text: 'door', startSeconds: 0.51, endSeconds: 0.81 },
        { text: 'is', startSeconds: 2.13, endSeconds: 2.39 },
        { text: 'blue', startSeconds: 2.4, endSeconds: 2.81 },
      ],
    });
  });

  it('reads lines without times as text', () => {
    expect(parseOutput('the  door\n\nis blue\n')).toEqual({ text: 'the door is blue', segments: [], words: [] });
    expect(parseOutput('')).toEqual({ text: '', segments: [], words: [] });
  });
});
