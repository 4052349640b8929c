/** A call that is not reported within this time is dropped: its caller crashed, or reported to another replica. */
const EXPIRY_MS = 600_000;

interface ExternalCall {
  at: number;
  secret: string;
}

/** Tracks calls that other services make on connections with secrets from this process, until they report the outcome. */
export class ExternalCalls {
  readonly #calls = new Map<string, ExternalCall[]>();

  /** Registers a call that begins. */
  begin(connectionId: string, secret: string, now = performance.now()): void {
    this.#calls.set(connectionId, [...this.#listLive(connectionId, now), { at: now, secret }]);
  }

  /** Removes the oldest call on a connection and returns the secret that it used; undefined when no call is known. */
  end(connectionId: string, now = performance.now()): string | undefined {
    const [oldest, ...rest] = this.#listLive(connectionId, now);
    if (rest.length > 0) this.#calls.set(connectionId, rest);
    else this.#calls.delete(connectionId);
    return oldest?.secret;
  }

  /** Number of running calls on a connection. */
  count(connectionId: string, now = performance.now()): number {
    return this.#listLive(connectionId, now).length;
  }

  #listLive(connectionId: string, now: number): ExternalCall[] {
    return (this.#calls.get(connectionId) ?? []).filter(({ at }) => now - at < EXPIRY_MS);
  }
}
