import { describe, expect, it } from '@jest/globals';
import { listCompleteSentences } from './complete-sentences.ts';

const said = (text: string, hasEnded = false) => listCompleteSentences(text, hasEnded).map(({ sentence }) => sentence);

describe('listCompleteSentences', () => {
  it('gives a sentence when it is complete, each once', () => {
    expect(said('It is 3.14 now. And th')).toEqual(['It is 3.14 now.']);
    expect(said('你好。今天')).toEqual(['你好。']);
    expect(said('It is 3.14 now. And then', true)).toEqual(['It is 3.14 now.', 'And then']);
  });

  it('gives a sentence the same place while the text grows', () => {
    const [before] = listCompleteSentences('One. Two', false);
    const [after] = listCompleteSentences('One. Two. Three', false);
    expect(after).toEqual(before);
  });

  it('keeps to the newest of a long text', () => {
    expect(said('Yes. '.repeat(100))).toHaveLength(20);
  });
});
