const STORED = 'parley.idle-minutes';

/** Minutes that one may choose. */
export const IDLE_MINUTES = [5, 15, 30, 60, 240] as const;
const USUAL = 30;

/** Returns the minutes without activity after which this browser signs out. */
export function getIdleMinutes(): number {
  const chosen = Number(localStorage.getItem(STORED));
  return IDLE_MINUTES.find((minutes) => minutes === chosen) ?? USUAL;
}

/** Returns the same limit in milliseconds. */
export function getIdleLimitMs(): number {
  return getIdleMinutes() * 60_000;
}

/** Changes it for this browser. */
export function chooseIdleMinutes(minutes: number): void {
  localStorage.setItem(STORED, String(minutes));
}
