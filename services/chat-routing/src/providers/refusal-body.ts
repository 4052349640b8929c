const MAX_BYTES = 64 * 1024;

/** A refused streaming call: its head, and as much of its body as is worth reading. */
export class RefusalBody {
  readonly status: number;
  readonly retryAfter: string | string[] | undefined;
  readonly #bytes: Buffer[] = [];
  #size = 0;

  constructor(status: number, headers: Record<string, string | string[] | undefined>) {
    this.status = status;
    this.retryAfter = headers['retry-after'];
  }

  /** Keeps what fits; false when the body is full. */
  push(bytes: Buffer): boolean {
    const room = MAX_BYTES - this.#size;
    this.#size += bytes.length;
    if (room > 0) this.#bytes.push(bytes.subarray(0, room));
    return this.#size < MAX_BYTES;
  }

  /** What it says: parsed where it is JSON, otherwise the text of it. */
  read(): unknown {
    return readBody(Buffer.concat(this.#bytes).toString('utf8'));
  }
}

/** A body parsed where it is JSON, otherwise as it is. */
export function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
