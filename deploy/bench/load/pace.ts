import { setTimeout as delay } from 'node:timers/promises';

/** Calls `fire` at a fixed rate between two times of `performance.now()`; what is late is made up for at once. */
export async function fireUntil(fire: () => void, from: number, until: number, perSecond: number): Promise<void> {
  const gap = 1000 / perSecond;
  for (let due = from; due < until; due += gap) {
    const wait = due - performance.now();
    if (wait > 0) await delay(wait);
    fire();
  }
}
