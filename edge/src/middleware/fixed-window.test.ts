import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FixedWindow } from './fixed-window.ts';

describe('FixedWindow', () => {
  let now = 0;
  beforeEach(() => {
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void jest.restoreAllMocks());

  it('lets so many pass in a window, and tells the others when it ends', () => {
    const window = new FixedWindow({ points: 2, seconds: 60 });
    expect([window.take('a'), window.take('a'), window.take('a')]).toEqual([0, 0, 60_000]);
    now += 59_000;
    expect(window.take('a')).toBe(1_000);
    now += 1_000;
    expect(window.take('a')).toBe(0);
  });

  it('counts every client by itself', () => {
    const window = new FixedWindow({ points: 1, seconds: 60 });
    expect([window.take('a'), window.take('b')]).toEqual([0, 0]);
    expect(window.take('b')).toBe(60_000);
  });

  it('does not care when the clock is set', () => {
    const window = new FixedWindow({ points: 1, seconds: 60 });
    window.take('a');
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 7_200_000);
    expect(window.take('a')).toBe(60_000);
  });
});
