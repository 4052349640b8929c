import { describe, expect, it } from '@jest/globals';
import { ConnectionLeases } from './connection-leases.ts';

describe('Loans', () => {
  it('counts those that are out, each connection for itself', () => {
    const leases = new ConnectionLeases();
    leases.grant('one', 's');
    leases.grant('one', 's');
    leases.grant('two', 's');
    expect([leases.count('one'), leases.count('two'), leases.count('three')]).toEqual([2, 1, 0]);
    leases.release('one');
    expect([leases.count('one'), leases.count('two')]).toEqual([1, 1]);
  });

  it('knows what the oldest one went out with', () => {
    const leases = new ConnectionLeases();
    leases.grant('one', 'old');
    leases.grant('one', 'new');
    expect([leases.release('one'), leases.release('one'), leases.release('one')]).toEqual(['old', 'new', undefined]);
  });

  it('forgets those that are never given back', () => {
    const leases = new ConnectionLeases();
    leases.grant('one', 'old', 0);
    leases.grant('one', 'new', 1_000);
    expect(leases.count('one', 599_999)).toBe(2);
    expect(leases.count('one', 600_000)).toBe(1);
    expect(leases.release('one', 600_000)).toBe('new');
  });
});
