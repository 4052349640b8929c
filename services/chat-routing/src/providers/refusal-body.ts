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

  push(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size < MAX_BYTES) this.#bytes.push(bytes);
  }

  /** What it says in JSON; undefined for anything else. */
  read(): unknown {
    try {
      return JSON.parse(Buffer.concat(this.#bytes).toString('utf8'));
    } catch {
      return undefined;
    }
  }
}
