import { waitFor, type WaitOptions } from './wait-for.ts';

/** Waits until a growing number is the same in two samples: every buffer in between is full. @throws at the timeout */
export async function waitUntilStable(grown: () => number, options: WaitOptions = {}): Promise<void> {
  let before = 0;
  const isStable = () => {
    const now = grown();
    const isSame = now > 0 && now === before;
    before = now;
    return isSame;
  };
  await waitFor(isStable, { everyMs: 200, ...options });
}
