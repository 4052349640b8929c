import { describe, expect, it } from '@jest/globals';
import { ExternalCalls } from './external-calls.ts';

describe('ExternalCalls', () => {
  it('counts the calls in progress of each connection', () => {
    const calls = new ExternalCalls();
    calls.begin('one', 's');
    calls.begin('one', 's');
    calls.begin('two', 's');
    expect([calls.count('one'), calls.count('two'), calls.count('three')]).toEqual([2, 1, 0]);
    calls.end('one');
    expect([calls.count('one'), calls.count('two')]).toEqual([1, 1]);
  });

  it('returns the secret of the oldest call', () => {
    const calls = new ExternalCalls();
    calls.begin('one', 'old');
    calls.begin('one', 'new');
    expect([calls.end('one'), calls.end('one'), calls.end('one')]).toEqual(['old', 'new', undefined]);
  });

  it('drops calls that are never reported', () => {
    const calls = new ExternalCalls();
    calls.begin('one', 'old', 0);
    calls.begin('one', 'new', 1_000);
    expect(calls.count('one', 599_999)).toBe(2);
    expect(calls.count('one', 600_000)).toBe(1);
    expect(calls.end('one', 600_000)).toBe('new');
  });
});
