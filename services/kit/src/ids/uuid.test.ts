import { describe, expect, it } from '@jest/globals';
import { validate, version } from 'uuid';
import { isUuid, uuidv7 } from './uuid.ts';

describe('uuidv7', () => {
  it('is a version 7 UUID that holds the time', () => {
    const before = Date.now();
    const id = uuidv7();
    expect(validate(id)).toBe(true);
    expect(version(id)).toBe(7);
    const ms = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    expect(ms).toBeGreaterThanOrEqual(before);
  });

  it('sorts in the order of making and never repeats', () => {
    const ids = Array.from({ length: 100_000 }, uuidv7);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('isUuid', () => {
  it.each([uuidv7(), '00000000-0000-0000-0000-000000000000', 'A1B2C3D4-0000-4000-8000-000000000000'])('accepts %s', (id) => {
    expect(isUuid(id)).toBe(true);
  });

  it.each(['', 'abc', '00000000-0000-0000-0000-00000000000', "00000000-0000-0000-0000-00000000000'", `${uuidv7()}\n`])(
    'refuses %j',
    (id) => {
      expect(isUuid(id)).toBe(false);
    },
  );
});
