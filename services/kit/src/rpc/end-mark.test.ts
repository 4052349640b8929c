import { describe, expect, it } from '@jest/globals';
import { END, readsEndMarks, serializeMarked } from './end-mark.ts';
import { Echo } from './testing/echo.ts';

describe('the end mark of a stream of requests', () => {
  const { collect } = Echo;

  it('is told from every request', () => {
    const read = readsEndMarks(Echo).collect.requestDeserialize;
    const write = serializeMarked(collect);
    expect(read(write(END))).toBe(END);
    expect(read(write({ text: 'one' }))).toEqual({ text: 'one' });
  });

  it('cannot be sent by mistake', () => {
    const empty = { ...collect, requestSerialize: () => Buffer.alloc(0) };
    expect(() => serializeMarked(empty)({ text: '' })).toThrow(TypeError);
  });
});
