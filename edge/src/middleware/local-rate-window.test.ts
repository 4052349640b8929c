import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LocalRateWindow } from './local-rate-window.ts';

describe('LocalRateWindow', () => {
  let now = 0;
  beforeEach(() => {
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void jest.restoreAllMocks());

  const admitted = (window: LocalRateWindow, client: string) => window.count(client).isAdmitted;

  it('lets so many pass in a window, and says how many are left and when it ends', () => {
    const window = new LocalRateWindow({ points: 2, seconds: 60 });
    expect([window.count('a'), window.count('a'), window.count('a')]).toEqual([
      { isAdmitted: true, remaining: 1, resetMs: 60_000 },
      { isAdmitted: true, remaining: 0, resetMs: 60_000 },
      { isAdmitted: false, remaining: 0, resetMs: 60_000 },
    ]);
    now += 59_000;
    expect(window.count('a')).toEqual({ isAdmitted: false, remaining: 0, resetMs: 1_000 });
    now += 1_000;
    expect(window.count('a')).toEqual({ isAdmitted: true, remaining: 1, resetMs: 60_000 });
  });

  it('counts every client by itself', () => {
    const window = new LocalRateWindow({ points: 1, seconds: 60 });
    expect([admitted(window, 'a'), admitted(window, 'b'), admitted(window, 'b')]).toEqual([true, true, false]);
  });

  it('does not care when the clock is set', () => {
    const window = new LocalRateWindow({ points: 1, seconds: 60 });
    window.count('a');
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 7_200_000);
    expect(window.count('a')).toEqual({ isAdmitted: false, remaining: 0, resetMs: 60_000 });
  });
});
