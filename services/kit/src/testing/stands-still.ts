import { waitFor, type WaitOptions } from './wait-for.ts';

/** Waits until a number that has begun to grow is the same at two looks: every buffer in between is full. @throws when the time is over */
export async function standsStill(grown: () => number, options: WaitOptions = {}): Promise<void> {
  let before = 0;
  const stands = () => {
    const now = grown();
    const isSame = now > 0 && now === before;
    before = now;
    return isSame;
  };
  await waitFor(stands, { everyMs: 200, ...options });
}
