import { describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue.ts';

describe('FairQueue', () => {
  it('goes around the owners, each in its own order', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item.slice(0, 1), item);
    expect([queue.size, queue.sizeOf('a'), queue.sizeOf('z')]).toEqual([6, 3, 0]);
    const taken = Array.from({ length: 7 }, () => queue.shift());
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
    expect([queue.size, queue.sizeOf('a')]).toEqual([0, 0]);
  });

  it('lets a new owner wait for one of each other', () => {
    const queue = new FairQueue<number>();
    for (let n = 0; n < 100; n++) queue.push('busy', n);
    queue.shift();
    queue.push('calm', -1);
    expect([queue.shift(), queue.shift()]).toEqual([1, -1]);
  });
});
