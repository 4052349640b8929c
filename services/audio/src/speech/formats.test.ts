import { describe, expect, it } from '@jest/globals';
import { toSupportedFormat, requireKnownFormat } from './formats.ts';

const REFUSED = expect.objectContaining({ condition: 'VALIDATION_ERROR', param: 'response_format' });

describe('formats', () => {
  it('may be any that OpenAI has; one without an encoder becomes WAV', () => {
    const formats = ['', 'wav', 'mp3', 'opus', 'flac', 'pcm', 'aac'].map((requested) => toSupportedFormat(requireKnownFormat(requested)));
    expect(formats).toEqual(['wav', 'wav', 'mp3', 'opus', 'flac', 'pcm', 'wav']);
  });

  it('are rejected when OpenAI has none such', () => {
    for (const requested of ['xml', 'WAV', 'toString']) expect(() => requireKnownFormat(requested)).toThrow(REFUSED);
  });
});
