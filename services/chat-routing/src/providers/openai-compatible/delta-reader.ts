/** Text without characters that JSON strings escape. */
const PLAIN = /^[^"\\\u0000-\u001f]*$/;

/**
 * Fast path for stream chunks that differ from an earlier, parsed chunk only in their text, as most chunks of an answer do: parsing each of
 * them would be most of the cost of a stream. All other chunks are left to the parser.
 */
export class DeltaReader {
  #head = '';
  #tail = '';

  /** Sets the pattern from a parsed chunk that contains only text; ignores the chunk when the position of the text is ambiguous. */
  setPattern(data: string, text: string): void {
    const literal = JSON.stringify(text);
    const matches = [`"content":${literal}`, `"content": ${literal}`].filter((pair) => data.includes(pair));
    const [pair] = matches;
    if (!pair || matches.length > 1 || data.indexOf(pair) !== data.lastIndexOf(pair)) return;
    const end = data.indexOf(pair) + pair.length;
    this.#head = data.slice(0, end - literal.length + 1);
    this.#tail = data.slice(end - 1);
  }

  /** Returns the text of a chunk that matches the pattern; undefined for any other. */
  findText(data: string): string | undefined {
    const end = data.length - this.#tail.length;
    if (this.#head === '' || end < this.#head.length) return undefined;
    // Comparing two slices costs a third of startsWith and endsWith.
    if (data.slice(0, this.#head.length) !== this.#head || data.slice(end) !== this.#tail) return undefined;
    const inner = data.slice(this.#head.length, end);
    return PLAIN.test(inner) ? inner : unescaped(inner);
  }
}

/** Unescapes the content between the quotes of a JSON string; undefined when it is not a single string. */
function unescaped(inner: string): string | undefined {
  try {
    const text: unknown = JSON.parse(`"${inner}"`);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
