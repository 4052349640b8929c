import { setTimeout as delay } from 'node:timers/promises';

/** Waits `ms` milliseconds, or until the signal aborts; never throws and never keeps a process alive. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined);
}
