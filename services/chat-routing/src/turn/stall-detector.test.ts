import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { StallDetector } from './stall-detector.ts';

describe('a process that stands still', () => {
  const watched: StallDetector[] = [];
  afterEach(() => {
    for (const one of watched.splice(0)) one.close();
  });

  it('knows it as soon as it goes on, before what was read meanwhile, and until the ends of connections were read', async () => {
    const order: string[] = [];
    const detector = new StallDetector((stoodMs) => order.push(stoodMs > 500 ? 'stood' : 'too short'), 500);
    watched.push(detector);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(detector.whenDisconnectsRead).toBeUndefined();
    standStill(1_500);
    setImmediate(() => order.push(detector.whenDisconnectsRead ? 'read in its aftermath' : 'read'));
    await waitFor(() => order.length > 1);
    expect(order.slice(0, 2)).toEqual(['stood', 'read in its aftermath']);
    await waitFor(() => detector.whenDisconnectsRead === undefined);
  });
  it('knows it when a socket is read before a timer fires', async () => {
    const detector = new StallDetector(() => undefined, 500);
    watched.push(detector);
    standStill(1_500);
    expect(detector.whenDisconnectsRead).toBeDefined();
    await waitFor(() => detector.whenDisconnectsRead === undefined);
  });
});

/** Nothing of this process runs for so many milliseconds, as when it is stopped. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
