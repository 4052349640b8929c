import { describe, expect, it } from '@jest/globals';
import { expectationOf, MODEL_NAMES, scriptOf, stamp, STAMP_BYTES, stampedAt } from './scripts.ts';

describe('mock scripts', () => {
  it('knows what every model answers', () => {
    expect(MODEL_NAMES).toEqual(['fast', 'chunks-64', 'burst-64', 'stamped', 'slow-open', 'delayed-500']);
    expect(expectationOf('fast', false)).toEqual({ streamed: false, pieces: 1, textBytes: 1000 });
    expect(expectationOf('chunks-64', true)).toEqual({ streamed: true, pieces: 64, textBytes: 64 * 16 });
    expect(expectationOf('stamped', true).textBytes).toBe(32 * STAMP_BYTES);
    expect(scriptOf('delayed-250')?.delayMs).toBe(250);
  });

  it('knows no other model', () => {
    for (const model of ['gpt', 'delayed-', 'toString', '__proto__']) expect(scriptOf(model)).toBeUndefined();
    expect(() => expectationOf('gpt', true)).toThrow('no model gpt');
  });

  it('stamps in a fixed width and reads it back', () => {
    expect(stamp(123_456_789n)).toHaveLength(STAMP_BYTES);
    expect(stampedAt(stamp(123_456_789n))).toBe(123_456_789n);
    expect(stampedAt('@12')).toBeUndefined();
  });
});
