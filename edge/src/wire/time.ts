/** Returns a time as ISO 8601 in UTC, with milliseconds and `Z`. */
export function toTimestamp(date: Date): string {
  return date.toISOString();
}

/** Returns a time as `toTimestamp` does; null for null or undefined. */
export function toTimestampOrNull(date: Date | null | undefined): string | null {
  return date ? date.toISOString() : null;
}
