import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TurnClock } from './turn-clock.ts';

describe('TurnClock', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());
  const wait = (ms: number) => void jest.advanceTimersByTime(ms);

  it('gives every moment in milliseconds since the head of the request, and none that has not come', () => {
    const clock = new TurnClock(40);
    wait(2);
    clock.note('opened');
    clock.note('asked');
    wait(10);
    clock.note('committed');
    wait(90);
    clock.note('accepted');
    expect(clock.times()).toEqual({ routedMs: 40, askedMs: 42, committedMs: 52, acceptedMs: 142 });
    wait(1);
    clock.note('firstToken');
    wait(7);
    clock.note('answered');
    expect(clock.times()).toMatchObject({ firstTokenMs: 143, answeredMs: 150 });
    expect(clock.totalMs).toBe(150);
  });

  it('keeps the first of several moments of a kind', () => {
    const clock = new TurnClock(0);
    clock.note('asked');
    wait(300);
    clock.note('asked');
    clock.note('answered');
    expect(clock.times()).toMatchObject({ askedMs: 0, answeredMs: 300 });
    expect(clock.between('asked', 'answered')).toBe(300);
    expect(clock.between('asked', 'firstToken')).toBeUndefined();
    expect([clock.has('asked'), clock.has('firstToken')]).toEqual([true, false]);
  });

  it('counts from a moment on; nothing where it has not come', () => {
    const clock = new TurnClock(5);
    wait(100);
    expect(clock.since('opened')).toBe(0);
    clock.note('opened');
    wait(20);
    expect(clock.since('opened')).toBe(20);
  });

  it('begins with itself where the edge does not say how long it had the request', () => {
    const clock = new TurnClock(undefined);
    wait(3);
    clock.note('asked');
    expect(clock.times()).toEqual({ askedMs: 3 });
  });
});
