/** What a connection may be called. */
export const LABEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Whether a connection may be called this. */
export function isLabel(text: string): boolean {
  return LABEL.test(text);
}
