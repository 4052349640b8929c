import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LinkedSetMember, LinkedSet } from './linked-set.ts';

class Item extends LinkedSetMember {
  readonly name: number;

  constructor(name: number) {
    super();
    this.name = name;
  }
}

describe('LinkedSet', () => {
  it('holds what a Set would, in the same order, whatever is added and deleted', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5)), (names) => {
        const items = Array.from({ length: 6 }, (_, name) => new Item(name));
        const linked = new LinkedSet<Item>();
        const model = new Set<Item>();
        for (const name of names) {
          const item = items[name] as Item;
          if (model.has(item)) expect(linked.delete(item)).toBe(model.delete(item));
          else {
            linked.add(item);
            model.add(item);
          }
          expect([...linked]).toEqual([...model]);
          expect(linked.size).toBe(model.size);
          expect(linked.first).toBe([...model][0]);
        }
      }),
    );
  });

  it('does not delete what it does not hold', () => {
    const set = new LinkedSet<Item>();
    const item = new Item(1);
    expect(set.delete(item)).toBe(false);
    set.add(item);
    expect([set.delete(item), set.delete(item), set.size]).toEqual([true, false, 0]);
  });

  it('can be iterated while members are deleted', () => {
    const set = new LinkedSet<Item>();
    for (let name = 0; name < 4; name++) set.add(new Item(name));
    const seen: number[] = [];
    for (const item of set) {
      seen.push(item.name);
      set.delete(item);
    }
    expect([seen, set.size]).toEqual([[0, 1, 2, 3], 0]);
  });
});
