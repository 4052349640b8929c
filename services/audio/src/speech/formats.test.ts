import { describe, expect, it } from '@jest/globals';
import { coercedFormat, exactFormat, knownFormat } from './formats.ts';

const REFUSED = expect.objectContaining({ condition: 'VALIDATION_ERROR', param: 'response_format' });

describe('formats', () => {
  it('are exact for what is spoken at once: what cannot be made is refused with what can', () => {
    expect(['', 'wav', 'mp3', 'pcm'].map(exactFormat)).toEqual(['wav', 'wav', 'mp3', 'pcm']);
    for (const asked of ['opus', 'flac', 'WAV', 'toString']) expect(() => exactFormat(asked)).toThrow(REFUSED);
    expect(() => exactFormat('opus')).toThrow('wav, mp3, pcm');
  });

  it('of a job may be any that OpenAI has, and become WAV', () => {
    expect(['', 'opus', 'aac', 'flac', 'mp3'].map((asked) => coercedFormat(knownFormat(asked)))).toEqual([
      'wav',
      'wav',
      'wav',
      'wav',
      'mp3',
    ]);
    expect(() => knownFormat('xml')).toThrow(REFUSED);
  });
});
