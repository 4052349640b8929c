import { describe, expect, it } from '@jest/globals';
import { matchesEtag, selectRange } from './byte-range.ts';

const ETAG = '"abc"';
const whole = { kind: 'whole' };
const part = (start: number, end: number) => ({ kind: 'part', start, end });

describe('selectRange', () => {
  it.each([
    [undefined, whole],
    ['bytes=0-9', part(0, 9)],
    ['bytes=10-', part(10, 99)],
    ['bytes=-10', part(90, 99)],
    ['bytes=-1000', part(0, 99)],
    ['bytes=90-1000', part(90, 99)],
    ['bytes=99-99', part(99, 99)],
    ['Bytes=0-0', part(0, 0)],
    ['bytes=100-', { kind: 'unsatisfiable' }],
    ['bytes=9999999-', { kind: 'unsatisfiable' }],
    ['bytes=0-1,4-5', whole],
    ['bytes=', whole],
    ['bytes=x-y', whole],
    ['items=0-1', whole],
    ['items=900-', whole],
  ])('selects for %j: %j', (range, expected) => {
    expect(selectRange({ range }, 100, ETAG)).toEqual(expected);
  });

  it.each([
    [ETAG, part(0, 9)],
    ['"other"', whole],
    [`W/${ETAG}`, whole],
    ['Wed, 21 Oct 2026 07:28:00 GMT', whole],
  ])('selects with If-Range %j: %j', (ifRange, expected) => {
    expect(selectRange({ range: 'bytes=0-9', 'if-range': ifRange }, 100, ETAG)).toEqual(expected);
  });
});

describe('matchesEtag', () => {
  it.each([
    [undefined, false],
    [ETAG, true],
    [`W/${ETAG}`, true],
    [`"x", ${ETAG}`, true],
    ['*', true],
    ['"x"', false],
    ['', false],
  ])('is for %j: %j', (header, expected) => {
    expect(matchesEtag(header, ETAG)).toBe(expected);
  });
});
