const MARK = '"content":"';

/**
 * Counts the text of a chat answer, as an SSE stream or as one JSON body, without parsing it: 64 JSON.parse calls per stream would
 * make the load the bottleneck. It relies on the mock's texts, which need no escapes.
 */
export class ContentScanner {
  /** Pieces of text that were not empty: chunks of a stream, or 1 for a whole answer. */
  pieces = 0;
  /** Bytes of all pieces together. */
  textBytes = 0;
  /** Whether `data: [DONE]` has come. */
  done = false;
  readonly #onPiece: ((text: string) => void) | undefined;
  #rest = '';

  constructor(onPiece?: (text: string) => void) {
    this.#onPiece = onPiece;
  }

  /** Takes body text in any cut; an event counts once its blank line has come. */
  push(text: string): void {
    const input = this.#rest === '' ? text : this.#rest + text;
    const cut = input.lastIndexOf('\n\n');
    if (cut < 0) {
      this.#rest = input;
      return;
    }
    this.#rest = input.slice(cut + 2);
    this.#scan(this.#rest === '' ? input : input.slice(0, cut + 2));
  }

  /** Counts what a body without a blank line at its end holds: the whole of a JSON answer. */
  finish(): void {
    if (this.#rest !== '') this.#scan(this.#rest);
    this.#rest = '';
  }

  #scan(events: string): void {
    let at = events.indexOf(MARK);
    while (at >= 0) {
      const from = at + MARK.length;
      const to = events.indexOf('"', from);
      if (to < 0) return;
      if (to > from) {
        this.pieces += 1;
        this.textBytes += to - from;
        this.#onPiece?.(events.slice(from, to));
      }
      at = events.indexOf(MARK, to);
    }
    if (!this.done && events.includes('data: [DONE]')) this.done = true;
  }
}
