import { describe, expect, it, jest } from '@jest/globals';
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

  it('measures every layout of WebP', () => {
    const webp = (layout: string, ...bytes: number[]): Uint8Array =>
      Buffer.concat([latin(`RIFF\0\0\0\0WEBP${layout}\0\0\0\0`), Buffer.from(bytes)]);
    // Bits of the sides less one: 14 and 14 behind a signature, or 24 and 24 behind flags.
    expect(measureImage(webp('VP8L', 0x2f, 0x40, 0x81, 0x1e, 0))).toEqual({ width: 321, height: 123 });
    expect(measureImage(webp('VP8X', 0, 0, 0, 0, 0x40, 1, 0, 122, 0, 0))).toEqual({ width: 321, height: 123 });
  });

  it('finds the frame of a JPEG behind a colour profile of many segments', () => {
    const segment = Buffer.concat([Buffer.from('ffe2fffe', 'hex'), Buffer.alloc(0xfffc, 0xff)]);
    const image = makeJpeg(321, 123);
    const photo = Buffer.concat([
      image.subarray(0, 2),
      ...Array.from({ length: 100 }, () => segment),
      Buffer.from('ffffff', 'hex'),
      image.subarray(2),
    ]);
    expect(measureImage(photo)).toEqual({ width: 321, height: 123 });
  });

  it.each([
    ['empty segments', 'ffe00002'],
    ['fill bytes', 'ff'],
    ['bytes between segments', '00'],
    ['segments that begin within each other', '0002ff00'],
  ])('reads the beginning only of 10 MiB of %s', (_what, piece) => {
    const image = Buffer.concat([Buffer.from('ffd8ffe00002', 'hex'), Buffer.alloc(10 * 2 ** 20, Buffer.from(piece, 'hex'))]);
    const reads = (['readUInt8', 'readUInt16BE'] as const).map((read) => jest.spyOn(Buffer.prototype, read));
    try {
      expect(measureImage(image)).toBeUndefined();
      expect(reads.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBeLessThan(4_000);
    } finally {
      for (const read of reads) read.mockRestore();
    }
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
