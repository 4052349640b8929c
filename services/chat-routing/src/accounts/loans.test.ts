import { describe, expect, it } from '@jest/globals';
import { Loans } from './loans.ts';

describe('Loans', () => {
  it('counts those that are out, each connection for itself', () => {
    const loans = new Loans();
    loans.lend('one', 's');
    loans.lend('one', 's');
    loans.lend('two', 's');
    expect([loans.out('one'), loans.out('two'), loans.out('three')]).toEqual([2, 1, 0]);
    loans.giveBack('one');
    expect([loans.out('one'), loans.out('two')]).toEqual([1, 1]);
  });

  it('knows what the oldest one went out with', () => {
    const loans = new Loans();
    loans.lend('one', 'old');
    loans.lend('one', 'new');
    expect([loans.giveBack('one'), loans.giveBack('one'), loans.giveBack('one')]).toEqual(['old', 'new', undefined]);
  });

  it('forgets those that are never given back', () => {
    const loans = new Loans();
    loans.lend('one', 'old', 0);
    loans.lend('one', 'new', 1_000);
    expect(loans.out('one', 599_999)).toBe(2);
    expect(loans.out('one', 600_000)).toBe(1);
    expect(loans.giveBack('one', 600_000)).toBe('new');
  });
});
