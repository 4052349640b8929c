import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonStructureScanner } from './json-structure-scanner.ts';

const MANY = { depth: 64, values: 1_000_000 };

/** Scans a text that arrives in pieces of `size` bytes. */
function scan(text: string, bounds = MANY, size = Infinity): JsonStructureScanner {
  const found = new JsonStructureScanner(bounds);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) found.feed(bytes.subarray(at, at + size));
  return found;
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, child) => sum + valuesIn(child), 1);
}

describe('JsonStructureScanner', () => {
  it('agrees with the depth of the parsed value, wherever the bytes are cut', () => {
    const texts = fc.oneof(fc.jsonValue({ maxDepth: 6 }), fc.array(fc.string({ maxLength: 200 })));
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 90 }), (value, depth, size) => {
        const look = () => scan(JSON.stringify(value), { ...MANY, depth }, size);
        if (depthOf(value) > depth) expect(look).toThrow('nested deeper');
        else expect(look().values).toBeGreaterThanOrEqual(valuesIn(value));
      }),
    );
  });

  it('counts at most two for each value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect(scan(JSON.stringify(value)).values).toBeLessThanOrEqual(2 * valuesIn(value));
      }),
    );
  });

  it.each([
    ['brackets in a string', '"[[[[["'],
    ['an escaped quote', '"\\"[[[[["'],
    ['an escaped quote far into a string', `"${'x'.repeat(500)}\\"[[[[,,,"`],
    ['an escaped backslash far into a string', `["${'x'.repeat(500)}\\\\",[]]`],
    ['nothing but backslashes', `"${'\\\\'.repeat(500)}[[[["`],
    ['a string that never ends', '"[[[[['],
  ])('is not misled by %s', (_name, text) => {
    for (const size of [1, 7, 100, Infinity]) expect(() => scan(text, { depth: 2, values: 4 }, size)).not.toThrow();
  });

  it.each([
    ['empty objects', '{},'],
    ['empty arrays', '[],'],
    ['numbers', '0,'],
    ['names', '"a":0,'],
  ])('stops at the bound of values: %s', (_name, unit) => {
    expect(() => scan(`[${unit.repeat(1_001)}`, { depth: 64, values: 1_000 })).toThrow(
      expect.objectContaining({ condition: 'VALIDATION_ERROR', param: 'body', message: 'the body holds more than 1000 values' }),
    );
  });

  it('looks at each byte of a string once and leaps over long ones', () => {
    let read = 0;
    const bytes = Buffer.from(`["${'x'.repeat(1_000_000)}","${'\\"'.repeat(1_000)}"]`);
    const counted = new Proxy(bytes, {
      get: (target, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) read++;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    new JsonStructureScanner(MANY).feed(counted);
    expect(read).toBeLessThan(10_000);
  });
});
