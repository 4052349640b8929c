/** A loan that nobody gave back by then is forgotten: who had it is gone, or told another replica. */
const FORGET_MS = 600_000;

interface Loan {
  at: number;
  secret: string;
}

/** The connections that the audio service has from this process, until it reports how it went. */
export class Loans {
  readonly #loans = new Map<string, Loan[]>();

  lend(connectionId: string, secret: string, now = performance.now()): void {
    this.#loans.set(connectionId, [...this.#live(connectionId, now), { at: now, secret }]);
  }

  /** Ends the oldest loan of a connection. The secret it went out with; undefined where no loan is known. */
  giveBack(connectionId: string, now = performance.now()): string | undefined {
    const [oldest, ...rest] = this.#live(connectionId, now);
    if (rest.length > 0) this.#loans.set(connectionId, rest);
    else this.#loans.delete(connectionId);
    return oldest?.secret;
  }

  /** How many calls are under way on a connection. */
  out(connectionId: string, now = performance.now()): number {
    return this.#live(connectionId, now).length;
  }

  #live(connectionId: string, now: number): Loan[] {
    return (this.#loans.get(connectionId) ?? []).filter(({ at }) => now - at < FORGET_MS);
  }
}
