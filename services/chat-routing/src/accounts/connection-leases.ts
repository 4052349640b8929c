/** A lease that is not released by then is dropped: its holder is gone, or released it at another replica. */
const EXPIRY_MS = 600_000;

interface Lease {
  at: number;
  secret: string;
}

/** The connections that the audio service uses with secrets from this process, until it reports the outcome of its call. */
export class ConnectionLeases {
  readonly #leases = new Map<string, Lease[]>();

  grant(connectionId: string, secret: string, now = performance.now()): void {
    this.#leases.set(connectionId, [...this.#listLive(connectionId, now), { at: now, secret }]);
  }

  /** Ends the oldest lease of a connection and returns the secret that it was granted with; undefined where no lease is known. */
  release(connectionId: string, now = performance.now()): string | undefined {
    const [oldest, ...rest] = this.#listLive(connectionId, now);
    if (rest.length > 0) this.#leases.set(connectionId, rest);
    else this.#leases.delete(connectionId);
    return oldest?.secret;
  }

  /** How many calls are under way on a connection. */
  count(connectionId: string, now = performance.now()): number {
    return this.#listLive(connectionId, now).length;
  }

  #listLive(connectionId: string, now: number): Lease[] {
    return (this.#leases.get(connectionId) ?? []).filter(({ at }) => now - at < EXPIRY_MS);
  }
}
