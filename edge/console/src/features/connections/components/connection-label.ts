/** Matches the labels that a connection may have. */
export const CONNECTION_LABEL_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Whether a text is a valid label of a connection. */
export function isConnectionLabel(text: string): boolean {
  return CONNECTION_LABEL_PATTERN.test(text);
}
