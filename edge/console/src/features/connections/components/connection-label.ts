/** What a connection may be called. */
export const CONNECTION_LABEL_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Whether a connection may be called this. */
export function isConnectionLabel(text: string): boolean {
  return CONNECTION_LABEL_PATTERN.test(text);
}
