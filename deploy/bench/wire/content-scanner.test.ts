import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ContentScanner } from './content-scanner.ts';

const frame = (delta: string): string => `data: {"choices":[{"index":0,"delta":${delta},"finish_reason":null}]}\n\n`;
const STREAM = [
  frame('{"role":"assistant","content":""}'),
  ': ping\n\n',
  frame('{"content":"one "}'),
  frame('{"content":"three"}'),
  frame('{}'),
  'data: [DONE]\n\n',
].join('');

function scan(parts: string[]): { pieces: number; textBytes: number; done: boolean; texts: string[] } {
  const texts: string[] = [];
  const scanner = new ContentScanner((text) => texts.push(text));
  for (const part of parts) scanner.push(part);
  scanner.finish();
  return { pieces: scanner.pieces, textBytes: scanner.textBytes, done: scanner.done, texts };
}

describe('ContentScanner', () => {
  it('counts the pieces of a stream that hold text, and their bytes', () => {
    expect(scan([STREAM])).toEqual({ pieces: 2, textBytes: 9, done: true, texts: ['one ', 'three'] });
  });

  it('counts the same wherever the reads are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: STREAM.length }), { maxLength: 20 }), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), STREAM.length];
        expect(scan(edges.slice(1).map((edge, i) => STREAM.slice(edges[i], edge)))).toEqual(scan([STREAM]));
      }),
    );
  });

  it('is not done before [DONE] has come', () => {
    expect(scan([STREAM.slice(0, -14)]).done).toBe(false);
  });

  it('reads a whole JSON answer as one piece', () => {
    expect(scan(['{"choices":[{"message":{"role":"assistant","con', 'tent":"hello"}}]}'])).toMatchObject({ pieces: 1, textBytes: 5 });
  });
});
