import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../testing/wait-for.ts';
import { HEALTH_CHECK_TIMING } from './keep-alive.ts';
import { PeerWatchdog } from './peer-watchdog.ts';

describe('the watchdog of a connection', () => {
  const watchdogs: PeerWatchdog[] = [];
  afterEach(() => {
    for (const watchdog of watchdogs.splice(0)) watchdog.stop();
  });

  function begin(isBusy = () => true) {
    const seen = { asked: 0, lost: 0, answer: (): void => undefined };
    const ask = (answered: () => void) => {
      seen.asked++;
      seen.answer = answered;
    };
    const watchdog = new PeerWatchdog({ isBusy, ask, lost: () => seen.lost++ });
    watchdogs.push(watchdog);
    watchdog.begin();
    return seen;
  }

  it('is lost when the peer does not answer', async () => {
    const seen = begin();
    await waitFor(() => seen.lost > 0);
    expect(seen).toMatchObject({ asked: 1, lost: 1 });
  });

  it('is not lost while this process itself stands still', async () => {
    const seen = begin();
    await waitFor(() => seen.asked === 1);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * HEALTH_CHECK_TIMING.timeoutMs);
    // An answer is read after the timers that were due meanwhile.
    setImmediate(() => seen.answer());
    await waitFor(() => seen.asked === 2);
    expect(seen.lost).toBe(0);
  });

  it('rests when no call is open', async () => {
    let looked = 0;
    const seen = begin(() => ++looked < 1);
    const other = begin();
    await waitFor(() => other.lost > 0);
    expect([seen.asked, looked]).toEqual([0, 1]);
  });
});
