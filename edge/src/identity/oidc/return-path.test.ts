import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toReturnPath } from './return-path.ts';

const HERE = 'https://parley.example';

describe('the path after a sign-in', () => {
  it.each(['/', '/console/', '/console/chat?q=hello%20world#end', '/console/%C3%A4', '/a//b', '/a?next=//evil.example'])(
    'may be %s',
    (path) => {
      expect(toReturnPath(path)).toBe(path);
    },
  );

  it('is as a browser resolves it', () => {
    expect(toReturnPath('/console/../me')).toBe('/me');
  });

  it.each([
    '',
    'console',
    'https://evil.example',
    'https:evil.example',
    'https:/evil.example',
    'javascript:alert(1)',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/%2fevil.example',
    '/%2Fevil.example',
    '/%5cevil.example',
    '/%252fevil.example',
    '/%25255cevil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2e//evil.example',
    '/.%2f/evil.example',
    '/console\r\nSet-Cookie: a=b',
    '/console%0d%0aSet-Cookie:%20a=b',
    '/%00',
    '/%',
    `/${'x'.repeat(2_000)}`,
  ])('is not %j', (path) => {
    expect(() => toReturnPath(path)).toThrow(expect.objectContaining({ condition: 'VALIDATION_ERROR', param: 'return_to' }));
  });

  it('is on this host, whatever is asked for', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2f',
      '%5c',
      '%2e',
      '%25',
      '@',
      ':',
      'evil.example',
      'https:',
      '?',
      '#',
      '\t',
      '\r\n',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        let path: string;
        try {
          path = toReturnPath(pieces.join(''));
        } catch {
          return;
        }
        expect(new URL(path, `${HERE}/me/v1/sign-in`).origin).toBe(HERE);
        expect(toReturnPath(path)).toBe(path);
      }),
      { numRuns: 2_000 },
    );
  });
});
