import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ObjectMap } from './object-map.ts';

describe('ObjectMap', () => {
  it('holds what a Map would, whatever is set and deleted', () => {
    const key = fc.constantFrom('a', 'b', '__proto__', 'constructor', 7);
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.option(fc.nat(9)))), (steps) => {
        const table = new ObjectMap<{ value: number }>();
        const model = new Map<string | number, { value: number }>();
        for (const [name, value] of steps) {
          if (value === null) expect(table.delete(name)).toBe(model.delete(name));
          else {
            table.set(name, { value });
            model.set(name, { value });
          }
          expect(table.get(name)).toEqual(model.get(name));
          expect(table.size).toBe(model.size);
          expect(new Set(table.values().map((held) => held.value))).toEqual(new Set([...model.values()].map((held) => held.value)));
        }
      }),
    );
  });
});
