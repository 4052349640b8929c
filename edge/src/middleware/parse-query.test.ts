import { describe, expect, it } from '@jest/globals';
import { parseQuery } from './parse-query.ts';

describe('parseQuery', () => {
  it.each([
    ['/x', {}],
    ['/x?', {}],
    ['/x?search=a+b%20c&limit=5', { search: 'a b c', limit: '5' }],
    ['/x?search=%C3%A9%E2%82%AC', { search: 'é€' }],
    ['/x?search=100%', { search: '100%' }],
    ['/x?search=%EF%BF%BD', { search: '\ufffd' }],
    ['/x?search', { search: '' }],
  ])('reads %s', (target, query) => {
    expect({ ...parseQuery(target) }).toEqual(query);
  });

  it.each([
    ['/x?search=%FF', 'search', 'not valid UTF-8'],
    ['/x?limit=1&search=a%C3', 'search', 'not valid UTF-8'],
    ['/x?search=%C0%80', 'search', 'not valid UTF-8'],
    ['/x?search=%ED%A0%80', 'search', 'not valid UTF-8'],
    ['/x?%FF=1', '\ufffd', 'not valid UTF-8'],
    ['/x?search=a%00b', 'search', 'the text holds U+0000'],
    ['/x?a=1&a=2', 'a', 'given more than once'],
  ])('refuses %s', (target, param, what) => {
    expect(() => parseQuery(target)).toThrow(
      expect.objectContaining({ condition: 'VALIDATION_ERROR', param, message: `${param}: ${what}` }),
    );
  });
});
