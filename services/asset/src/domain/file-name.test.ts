import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readExtension, toSafeFileName } from './file-name.ts';

describe('toSafeFileName', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\System32\\evil.txt', 'evil.txt'],
    ['/', 'file'],
    ['..', 'file'],
    ['.htaccess', 'htaccess'],
    ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie: x=1.txt'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['\u2066a\u2069\u200f.txt', 'a.txt'],
    ['a\u0000b.txt', 'ab.txt'],
    ['  many   spaces .txt ', 'many spaces .txt'],
    ['Übersicht – 日本語 🙂.csv', 'Übersicht – 日本語 🙂.csv'],
    ['می\u200cخواهم.txt', 'می\u200cخواهم.txt'],
    ['', 'file'],
  ])('makes %j %j', (given, expected) => {
    expect(toSafeFileName(given)).toBe(expected);
  });

  it('cuts a long name and keeps its extension', () => {
    const name = toSafeFileName(`${'ü'.repeat(300)}.docx`);
    expect(name).toMatch(/^ü+\.docx$/);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(name)).toBeGreaterThan(253);
  });

  it('never gives a path, a control character, an empty or an overlong name, and leaves a safe name as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
        const name = toSafeFileName(given);
        expect(name).not.toMatch(/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(name.length).toBeGreaterThan(0);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(toSafeFileName(name)).toBe(name);
      }),
    );
  });
});

describe('readExtension', () => {
  it.each([
    ['a.PNG', '.png'],
    ['a.tar.gz', '.gz'],
    ['a', ''],
    ['a.', ''],
    ['Version 2. final', ''],
  ])('of %j is %j', (name, expected) => {
    expect(readExtension(name)).toBe(expected);
  });
});
