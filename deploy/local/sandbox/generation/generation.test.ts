import { describe, expect, it } from '@jest/globals';
import { Generation } from './generation.ts';
import { Pacing } from './pacing.ts';

const PIECES = Array.from({ length: 1000 }, (_, at) => `${at} `);

describe('Generation', () => {
  it('ends as planned and tells its end once', async () => {
    const ends: string[] = [];
    const plan = { pieces: PIECES, ending: { reason: 'stop' } } as const;
    const generation = Generation.start(plan, new Pacing(0), ({ text }) => ends.push(text));
    expect(generation.ending).toBeUndefined();
    await new Promise<void>((resolve) => generation.subscribe(() => generation.ending !== undefined && resolve()));
    expect(ends).toEqual([PIECES.join('')]);
    generation.stop();
    expect([generation.ending, ends.length]).toEqual([{ reason: 'stop' }, 1]);
  });

  it('keeps what was produced when it is stopped', () => {
    const plan = { pieces: PIECES, ending: { reason: 'stop' } } as const;
    const generation = Generation.start(plan, new Pacing(0));
    generation.stop();
    expect(generation.ending).toEqual({ reason: 'stopped' });
    expect(PIECES.join('').startsWith(generation.text)).toBe(true);
    expect(generation.producedCount).toBeLessThan(PIECES.length);
  });

  it('follows a change of the pace while it runs', async () => {
    const pacing = new Pacing(1);
    const generation = Generation.start({ pieces: PIECES, ending: { reason: 'stop' } }, pacing);
    await new Promise<void>((resolve) => generation.subscribe(() => resolve()));
    expect(generation.producedCount).toBe(1);
    pacing.delayMs = 0;
    await new Promise<void>((resolve) => generation.subscribe(() => generation.ending !== undefined && resolve()));
    expect(generation.producedCount).toBe(PIECES.length);
  });
});

it('varies the pauses around the mean in the same way every time', () => {
  const pauses = Array.from({ length: 8 }, (_, at) => new Pacing(10).getDeltaDelayMs(at));
  expect(pauses.reduce((sum, pause) => sum + pause)).toBeCloseTo(80);
  expect(new Set(pauses).size).toBeGreaterThan(3);
});
