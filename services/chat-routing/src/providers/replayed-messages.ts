/** A message as it is replayed: who says it, and the parts of what is said. */
export interface ReplayedMessage<Part> {
  role: string;
  parts: readonly Part[];
}

/**
 * The same messages as upstreams take them: one without parts is left out, and those of one role that follow each other are one message. What a
 * turn that failed left behind, a question without an answer or an answer without a word, is refused by many upstreams otherwise.
 */
export function mergeMessages<Part>(messages: readonly ReplayedMessage<Part>[]): ReplayedMessage<Part>[] {
  const merged: { role: string; parts: Part[] }[] = [];
  for (const { role, parts } of messages) {
    if (parts.length === 0) continue;
    const last = merged.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else merged.push({ role, parts: [...parts] });
  }
  return merged;
}
