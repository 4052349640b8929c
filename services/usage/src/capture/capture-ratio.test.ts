import { describe, expect, it } from '@jest/globals';
import { CaptureRatio } from './capture-ratio.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-06-15T12:00:00Z');

/** Both sides, and what was asked of them. */
function open() {
  const counted = new Map<number, number>();
  const recorded = new Map<number, number>();
  const asked: number[] = [];
  const state = { now: START, isDown: false };
  const within = (map: Map<number, number>) => async (since: Date, until: Date) => {
    if (state.isDown) throw new Error('not reachable');
    return new Map([...map].filter(([at]) => at >= since.getTime() && at < until.getTime()));
  };
  const ratio = new CaptureRatio({
    readCountedTokens: async (since, until) => {
      asked.push((until.getTime() - since.getTime()) / MINUTE);
      return within(counted)(since, until);
    },
    readRecordedTokens: within(recorded),
    now: () => new Date(state.now),
  });
  return { ratio, counted, recorded, asked, state };
}

/** Reads as often as a whole hour takes. */
async function readAll(ratio: CaptureRatio): Promise<number | undefined> {
  for (let scrape = 0; scrape < 6; scrape++) await ratio.read();
  return ratio.read();
}

describe('CaptureRatio', () => {
  it('is the tokens counted divided by those of the turns, over the last hour', async () => {
    const { ratio, counted, recorded } = open();
    for (let minute = 2; minute < 62; minute++) {
      recorded.set(START - minute * MINUTE, 100);
      counted.set(START - minute * MINUTE, minute === 60 ? 50 : 100);
    }
    recorded.set(START - 62 * MINUTE, 1_000);
    expect(await readAll(ratio)).toBe(5_950 / 6_000);
  });

  it('leaves out minutes that are not settled', async () => {
    const { ratio, counted, recorded, state } = open();
    recorded.set(START - MINUTE, 100);
    counted.set(START - MINUTE, 0);
    expect(await ratio.read()).toBeUndefined();
    state.now += 30_000;
    expect(await ratio.read()).toBe(0);
  });

  it('reads a minute once, at most ten at a time, and again while both sides differ', async () => {
    const { ratio, counted, recorded, asked, state } = open();
    for (let minute = 2; minute < 62; minute++) for (const side of [counted, recorded]) side.set(START - minute * MINUTE, 7);
    expect(await readAll(ratio)).toBe(1);
    expect(asked).toEqual([10, 10, 10, 10, 10, 10]);
    recorded.set(START - MINUTE, 7);
    state.now += MINUTE;
    expect(await ratio.read()).toBeLessThan(1);
    counted.set(START - MINUTE, 7);
    expect(await ratio.read()).toBe(1);
    await ratio.read();
    expect(asked.slice(6)).toEqual([1, 1]);
  });

  it('reads new minutes although others differ for good', async () => {
    const { ratio, counted, recorded, asked, state } = open();
    recorded.set(START - 30 * MINUTE, 10);
    await readAll(ratio);
    for (const side of [counted, recorded]) side.set(START - MINUTE, 10);
    state.now += MINUTE;
    expect(await ratio.read()).toBe(0.5);
    expect(asked.slice(-2)).toEqual([1, 1]);
  });

  it('forgets what is older than an hour', async () => {
    const { ratio, counted, recorded, state } = open();
    for (const side of [counted, recorded]) side.set(START - 2 * MINUTE, 10);
    expect(await ratio.read()).toBe(1);
    state.now += 62 * MINUTE;
    expect(await readAll(ratio)).toBeUndefined();
  });

  it('has no value while a side cannot be read, and goes on afterwards', async () => {
    const { ratio, counted, recorded, state } = open();
    for (const side of [counted, recorded]) side.set(START - 2 * MINUTE, 10);
    state.isDown = true;
    await expect(ratio.read()).rejects.toThrow('not reachable');
    state.isDown = false;
    expect(await ratio.read()).toBe(1);
  });
});
