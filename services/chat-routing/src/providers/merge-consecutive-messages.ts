/** Roles that must alternate: many models reject two consecutive messages of the same one. */
const ALTERNATING: ReadonlySet<string> = new Set(['user', 'assistant']);

/**
 * Joins consecutive user or assistant messages into one. Failed turns leave a question without an answer, so that two questions follow each
 * other, which many upstreams reject.
 */
export function mergeConsecutiveMessages<T extends { role: string }>(messages: readonly T[], join: (one: T, next: T) => T): T[] {
  const merged: T[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role && ALTERNATING.has(message.role)) merged[merged.length - 1] = join(last, message);
    else merged.push(message);
  }
  return merged;
}

/** Joins the non-empty texts with a blank line between them. */
export function joinTexts(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
