/** ISO 8601 UTC with milliseconds and `Z`. */
export function toTimestamp(date: Date): string {
  return date.toISOString();
}

/** The same for a time that may be missing. */
export function toTimestampOrNull(date: Date | null | undefined): string | null {
  return date ? date.toISOString() : null;
}
