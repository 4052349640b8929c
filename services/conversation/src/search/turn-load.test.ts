import { beforeEach, describe, expect, it } from '@jest/globals';
import { TurnLoad } from './turn-load.ts';

describe('the load of turns', () => {
  let now = 0;
  let load: TurnLoad;
  beforeEach(() => {
    now = 0;
    load = new TurnLoad(() => now);
  });
  const record = (times: number) => Array.from({ length: times }, () => load.record());

  it('pauses as long as the work took under low load', () => {
    record(5);
    expect(load.pauseMs(20)).toBe(20);
  });

  it('pauses longer the more turns there are, for at most two seconds', () => {
    record(100);
    expect(load.pauseMs(20)).toBe(200);
    expect(load.pauseMs(500)).toBe(2_000);
  });

  it('counts the second before, and no more than that', () => {
    record(50);
    now = 1_500;
    expect(load.pauseMs(20)).toBe(100);
    now = 3_600;
    expect(load.pauseMs(20)).toBe(20);
  });
});
