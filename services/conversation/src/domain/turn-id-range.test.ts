import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { toLowestUuid, toTurnStartRange } from './turn-id-range.ts';

describe('the ids of turns in a period', () => {
  it('begin with the lowest of its start', () => {
    const [before, id, after] = [new Date(Date.now() - 1), uuidv7(), new Date(Date.now() + 1_000)];
    expect(toLowestUuid(before) <= id && id < toLowestUuid(after)).toBe(true);
    expect(toLowestUuid(new Date(1))).toBe('00000000-0001-0000-0000-000000000000');
  });

  it('are UUIDs for times that no UUIDv7 has', () => {
    expect(toLowestUuid(new Date(-1))).toBe('00000000-0000-0000-0000-000000000000');
    expect(toLowestUuid(new Date(8.64e15))).toBe('ffffffff-ffff-0000-0000-000000000000');
  });
});

describe('the start of the turns of a request', () => {
  it('is in the period of the time in its id, or in the next one', () => {
    const { since, until } = toTurnStartRange(uuidv7()) ?? {};
    expect(Number(until) - Number(since)).toBe(2 * 65_536);
    expect(Date.now()).toBeGreaterThanOrEqual(Number(since));
    expect(Date.now()).toBeLessThan(Number(until));
  });

  it.each(['', 'req-1', '0190A000-x', '0190a00'])('is unknown for %j', (id) => {
    expect(toTurnStartRange(id)).toBeNull();
  });
});
