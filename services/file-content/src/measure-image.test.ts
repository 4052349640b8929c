import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { latin, makeGif, makeJpeg, makePng, makeWebp, text } from '../test/fixtures/make-bytes.ts';
import { measureImage } from './measure-image.ts';

describe('measureImage', () => {
  it.each([
    ['PNG', makePng],
    ['JPEG', makeJpeg],
    ['GIF', makeGif],
    ['WebP', makeWebp],
  ])('measures %s', (_type, make) => {
    expect(measureImage(make(321, 123))).toEqual({ width: 321, height: 123 });
  });

  it('measures nothing else', () => {
    expect(measureImage(text('<svg width="3" height="2" xmlns="http://www.w3.org/2000/svg"/>'))).toBeUndefined();
    expect(measureImage(latin(`BM${'\x01'.repeat(60)}`))).toBeUndefined();
    expect(measureImage(makePng(0, 5))).toBeUndefined();
    expect(measureImage(makePng(5, 5).subarray(0, 20))).toBeUndefined();
    expect(measureImage(new Uint8Array())).toBeUndefined();
  });

  it('never throws or hangs', () => {
    const starts = ['GIF89a', 'RIFF\0\0\0\0WEBPVP8X', 'RIFF\0\0\0\0WEBPVP8L', '\xff\xd8\xff\xe0', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', ''];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        const size = measureImage(Buffer.concat([latin(start), rest]));
        expect(size === undefined || (size.width > 0 && size.height > 0)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
