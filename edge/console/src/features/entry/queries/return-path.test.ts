import { describe, expect, it } from '@jest/globals';
import { toReturnPath } from './return-path.ts';

describe('where a sign-in leads to', () => {
  it.each([
    ['/w/1/keys?sort=name#top', '/w/1/keys?sort=name#top'],
    ['/console/w/1/keys', '/w/1/keys'],
    ['/console', '/'],
    ['/invitation', '/invitation'],
  ])('is %s inside the console', (text, path) => expect(toReturnPath(text)).toBe(path));

  it.each([
    undefined,
    '',
    'https://evil.example',
    '//evil.example/x',
    '/\\evil.example',
    '/console//evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/sign-in?return_to=/x',
    '/console/sign-in',
  ])('is the start for %p', (text) => expect(toReturnPath(text)).toBe('/'));
});
