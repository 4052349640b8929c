const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** Formats a duration in its largest unit, e.g. `3d` or `12s`. */
export function formatDuration(seconds: number): string {
  for (const [unit, size] of UNITS) if (seconds >= size) return `${Math.floor(seconds / size)}${unit}`;
  return `${Math.max(0, Math.floor(seconds))}s`;
}

/** Formats how long ago a time was, e.g. `5m ago`; `never` for null. */
export function formatAge(time: string | null, now: number): string {
  return time === null ? 'never' : `${formatDuration((now - Date.parse(time)) / 1_000)} ago`;
}

/** Formats the day of a time, in UTC; `never` for null. */
export function formatDay(time: string | null): string {
  return time === null ? 'never' : time.slice(0, 10);
}
