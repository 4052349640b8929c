import { describe, expect, it } from '@jest/globals';
import { cpuBetween, foreignShare, parseMachineCpu } from './cpu.ts';

describe('cpu', () => {
  it('sums what the processes used: a new one from 0, one that has ended with the parent that waited for it', () => {
    const before = new Map([
      [1, 100],
      [2, 50],
      [3, 900],
    ]);
    const after = new Map([
      [1, 150 + 900 + 30],
      [2, 60],
      [4, 7],
    ]);
    expect(cpuBetween(before, after)).toBe(50 + 30 + 10 + 7);
  });

  it('counts user, nice, system and steal of the machine', () => {
    expect(parseMachineCpu('cpu  10 2 3 1000 5 6 7 4 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n')).toBe(19 * 10_000);
  });

  it('gives the share of a core that was not ours, never below 0', () => {
    expect(foreignShare(1_500_000, 1_000_000, 2)).toBe(0.25);
    expect(foreignShare(900_000, 1_000_000, 2)).toBe(0);
  });
});
