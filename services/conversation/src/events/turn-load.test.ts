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

  it('lets work rest as long as it took while there is little to do', () => {
    record(5);
    expect(load.restMs(20)).toBe(20);
  });

  it('lets it rest the longer the more turns there are, for two seconds at most', () => {
    record(100);
    expect(load.restMs(20)).toBe(200);
    expect(load.restMs(500)).toBe(2_000);
  });

  it('remembers the second before, and no more than that', () => {
    record(50);
    now = 1_500;
    expect(load.restMs(20)).toBe(100);
    now = 3_600;
    expect(load.restMs(20)).toBe(20);
  });
});
