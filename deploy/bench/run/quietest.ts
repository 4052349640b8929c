/** More foreign CPU than this part of one core, and a window is measured again. */
export const MAX_FOREIGN_SHARE = 0.12;
/** How often a window is measured at most. */
export const MAX_ATTEMPTS = 3;

interface Attempt {
  foreignShare: number;
}

/** Measures until nothing disturbed the window, at most three times, and keeps the quietest attempt. */
export async function quietest<T extends Attempt>(measure: () => Promise<T>): Promise<T & { attempts: number; noisy: boolean }> {
  let best: T | undefined;
  let attempts = 0;
  while (attempts < MAX_ATTEMPTS && (best === undefined || best.foreignShare > MAX_FOREIGN_SHARE)) {
    attempts += 1;
    const attempt = await measure();
    if (best === undefined || attempt.foreignShare < best.foreignShare) best = attempt;
  }
  if (best === undefined) throw new Error('nothing was measured');
  return { ...best, attempts, noisy: best.foreignShare > MAX_FOREIGN_SHARE };
}
