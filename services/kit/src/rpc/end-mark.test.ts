import { describe, expect, it } from '@jest/globals';
import { END_MARK, withEndMarks, createEndMarkSerializer } from './end-mark.ts';
import { Echo } from './testing/echo.ts';

describe('the end mark of a stream of requests', () => {
  const { collect } = Echo;

  it('differs from every request', () => {
    const read = withEndMarks(Echo).collect.requestDeserialize;
    const write = createEndMarkSerializer(collect);
    expect(read(write(END_MARK))).toBe(END_MARK);
    expect(read(write({ text: 'one' }))).toEqual({ text: 'one' });
  });

  it('cannot be sent by mistake', () => {
    const empty = { ...collect, requestSerialize: () => Buffer.alloc(0) };
    expect(() => createEndMarkSerializer(empty)({ text: '' })).toThrow(TypeError);
  });
});
