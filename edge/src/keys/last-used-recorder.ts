import { type Logger } from '@parley/kit/log/logger';

/** Writes when keys were last used; the map is by key id. */
export type SaveLastUsed = (uses: ReadonlyMap<string, Date>) => Promise<void>;

const FLUSH_MS = 10_000;

/** Records when keys were last used and writes it in batches: only operators see it, and it is not worth a write per request. */
export class LastUsedRecorder {
  readonly #save: SaveLastUsed;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #uses = new Map<string, number>();

  constructor(save: SaveLastUsed, log: Logger, flushMs = FLUSH_MS) {
    this.#save = save;
    this.#log = log;
    this.#timer = setInterval(() => void this.flush(), flushMs);
    this.#timer.unref();
  }

  record(keyId: string): void {
    this.#uses.set(keyId, Date.now());
  }

  /** Writes the recorded times. When it fails, they are lost until the next use of the key. */
  async flush(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = new Map([...this.#uses].map(([keyId, at]) => [keyId, new Date(at)]));
    this.#uses = new Map();
    try {
      await this.#save(uses);
    } catch (err) {
      this.#log.warn({ err }, 'last use of keys was not written');
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
