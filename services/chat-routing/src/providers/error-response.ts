const MAX_BYTES = 64 * 1024;

/** The error response of a streaming call: status, Retry-After, and the first 64 KiB of its body. */
export class ErrorResponse {
  readonly status: number;
  readonly retryAfter: string | string[] | undefined;
  readonly #bytes: Buffer[] = [];
  #size = 0;

  constructor(status: number, headers: Record<string, string | string[] | undefined>) {
    this.status = status;
    this.retryAfter = headers['retry-after'];
  }

  /** Appends bytes up to the limit; false when the limit is reached. */
  push(bytes: Buffer): boolean {
    const room = MAX_BYTES - this.#size;
    this.#size += bytes.length;
    if (room > 0) this.#bytes.push(bytes.subarray(0, room));
    return this.#size < MAX_BYTES;
  }

  /** Returns the body: parsed if it is JSON, otherwise its text. */
  read(): unknown {
    return parseJsonOrText(Buffer.concat(this.#bytes).toString('utf8'));
  }
}

/** Returns the parsed text if it is JSON, otherwise the text. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
