import { describe, expect, it } from '@jest/globals';
import { familyOf, parseStat } from './processes.ts';

const process = (pid: number, parent: number) => ({ pid, parent, ticks: 0 });

describe('processes', () => {
  it('reads parent and CPU ticks, waited-for children included, behind a name that holds spaces and parentheses', () => {
    const line = '42 (a (b) c) S 7 42 42 0 -1 4194304 100 0 0 0 150 25 9 9 20 0 11 0 12345 0 0';
    expect(parseStat(line)).toEqual({ pid: 42, parent: 7, ticks: 193 });
  });

  it('says nothing of a line that is cut', () => {
    expect(parseStat('42 (a) S 7')).toBeUndefined();
  });

  it('finds every generation below the roots, and no other process', () => {
    const stats = [process(9, 5), process(1, 0), process(5, 3), process(3, 1), process(4, 1)];
    expect(familyOf([3], stats)).toEqual([3, 5, 9]);
    expect(familyOf([77], stats)).toEqual([]);
  });
});
