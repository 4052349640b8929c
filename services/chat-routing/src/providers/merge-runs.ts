/** Roles that alternate: many models refuse two messages of one of them in a row. */
const ALTERNATING: ReadonlySet<string> = new Set(['user', 'assistant']);

/**
 * The same messages with those that follow each other in one role joined into one. Failed turns leave a question without an answer behind, which
 * many upstreams refuse otherwise.
 */
export function mergeRuns<T extends { role: string }>(messages: readonly T[], join: (one: T, next: T) => T): T[] {
  const merged: T[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role && ALTERNATING.has(message.role)) merged[merged.length - 1] = join(last, message);
    else merged.push(message);
  }
  return merged;
}

/** Texts with a blank line between them; an empty one adds none. */
export function joinTexts(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
