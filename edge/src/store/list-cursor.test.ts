import { describe, expect, it } from '@jest/globals';
import { fromCursor, toCursor } from './list-cursor.ts';

const ID = '01900000-0000-7000-8000-000000000001';
const write = (fields: unknown) => Buffer.from(JSON.stringify(fields)).toString('base64url');

describe('a cursor', () => {
  it.each([
    ['time', new Date('2026-11-23T10:00:00.123Z')],
    ['text', 'Zoë 服务器 %_\\ "'],
  ] as const)('of a %s leads back to its place', (type, value) => {
    expect(fromCursor(toCursor('order', { value, id: ID }), 'order', type)).toEqual({ value, id: ID });
  });

  it.each([
    ['of another order', toCursor('-order', { value: 'a', id: ID }), 'text'],
    ['without an id', write(['order', 'a', 'b']), 'text'],
    ['that is no JSON', 'abc', 'text'],
    ['that is no text at all', '\u{1f600}', 'text'],
    ['with a text that PostgreSQL cannot hold', write(['order', 'a\0', ID]), 'text'],
    ['with half a character', Buffer.from(`["order","\\ud800","${ID}"]`).toString('base64url'), 'text'],
    ['with a text for a time', write(['order', 'yesterday', ID]), 'time'],
    ['with a time that is none', write(['order', '2026-13-01T00:00:00.000Z', ID]), 'time'],
    ['with a year that PostgreSQL does not have', write(['order', '0000-01-01T00:00:00.000Z', ID]), 'time'],
    ['with too much', write(['order', 'a', ID, 1]), 'text'],
    ['that is null', write(null), 'text'],
  ] as const)('%s is refused', (_name, text, type) => {
    expect(() => fromCursor(text, 'order', type)).toThrow(expect.objectContaining({ condition: 'VALIDATION_ERROR', param: 'cursor' }));
  });
});
