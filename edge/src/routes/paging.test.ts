import { describe, expect, it } from '@jest/globals';
import { pageHeaders } from './paging.ts';

describe('pageHeaders', () => {
  const rels = (limit: number, offset: number, total: number) =>
    Object.fromEntries(
      String(pageHeaders('/v1/x', { search: 'a b' }, { limit, offset }, total).link)
        .split(', ')
        .map((link) => [/rel="(\w+)"/.exec(link)?.[1], /offset=(\d+)/.exec(link)?.[1]]),
    ) as Record<string, string>;

  it.each([
    ['an empty list', 50, 0, 0, { first: '0', last: '0' }],
    ['the only page', 50, 0, 50, { first: '0', last: '0' }],
    ['the first of many', 10, 0, 25, { first: '0', next: '10', last: '20' }],
    ['the middle', 10, 10, 25, { first: '0', prev: '0', next: '20', last: '20' }],
    ['the last', 10, 20, 25, { first: '0', prev: '10', last: '20' }],
    ['a page between pages', 10, 5, 25, { first: '0', prev: '0', next: '15', last: '20' }],
    ['beyond the end', 10, 100, 25, { first: '0', prev: '90', last: '20' }],
  ])('links %s', (_name, limit, offset, total, expected) => {
    expect(rels(limit, offset, total)).toEqual(expected);
  });

  it('keeps the filters', () => {
    expect(pageHeaders('/v1/x', { search: 'a b', none: undefined }, { limit: 1, offset: 0 }, 1).link).toContain(
      '</v1/x?search=a+b&limit=1&offset=0>',
    );
  });
});
