import { describe, expect, it } from '@jest/globals';
import { problemOf } from './check.ts';

const expected = { streamed: true, pieces: 64, textBytes: 704 };
const answer = { status: 200, streamed: true, done: true, pieces: 64, textBytes: 704, bodyBytes: 9_000 };

describe('problemOf', () => {
  it('accepts the complete answer only', () => {
    expect(problemOf(answer, expected)).toBeUndefined();
    expect(problemOf({ ...answer, status: 429 }, expected)).toBe('status 429');
    expect(problemOf({ ...answer, streamed: false }, expected)).toBe('not a stream');
    expect(problemOf({ ...answer, done: false }, expected)).toBe('no [DONE]');
    expect(problemOf({ ...answer, pieces: 63 }, expected)).toBe('63 of 64 chunks');
    expect(problemOf({ ...answer, textBytes: 700 }, expected)).toBe('700 of 704 text bytes');
  });

  it('does not ask a whole answer for [DONE]', () => {
    expect(problemOf({ ...answer, streamed: false, done: false }, { ...expected, streamed: false })).toBeUndefined();
  });
});
