import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { latin, makeGif, makeJpeg, makePng, makeWebp } from '../test/fixtures/make-bytes.ts';
import { isCompleteImage } from './is-complete-image.ts';

describe('isCompleteImage', () => {
  it.each([
    ['PNG', makePng],
    ['JPEG', makeJpeg],
    ['GIF', makeGif],
    ['WebP', makeWebp],
  ])('knows where a %s ends', (_type, make) => {
    const image = make(640, 480);
    expect(isCompleteImage(image)).toBe(true);
    expect(isCompleteImage(Buffer.concat([image, Buffer.alloc(16)]))).toBe(true);
    expect(isCompleteImage(image.subarray(0, image.length / 2))).toBe(false);
    expect(isCompleteImage(image.subarray(0, -1))).toBe(false);
  });

  it('is not taken in by an end that lies within a part', () => {
    const image = Buffer.from(makePng(40, 40));
    const cut = image.subarray(0, -20);
    latin('\0\0\0\0IEND\0\0\0\0').forEach((byte, at) => (cut[cut.length - 14 + at] = byte));
    expect(isCompleteImage(cut)).toBe(false);
  });

  it('has nothing to say about anything else, and never throws', () => {
    expect(isCompleteImage(latin('hello'))).toBe(true);
    expect(isCompleteImage(new Uint8Array())).toBe(true);
    const starts = [
      'GIF89a',
      'RIFF',
      'RIFF\xff\xff\xff\xff',
      '\xff\xd8',
      '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
      '\x89PNG\r\n\x1a\n\xff\xff\xff\xff',
      '',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 60 }), (start, rest) => {
        expect(typeof isCompleteImage(Buffer.concat([latin(start), rest]))).toBe('boolean');
      }),
    );
  });
});
