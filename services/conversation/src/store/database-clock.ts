import type { Pool } from 'pg';

/**
 * The database's time without a query per read: a sample plus the local monotonic clock, so that changes of the local wall clock have no
 * effect.
 */
export class DatabaseClock {
  readonly #pool: Pool;
  #sample = Date.now();
  #at = performance.now();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** The database's current time, accurate to about a round trip. */
  now(): Date {
    return new Date(this.#sample + performance.now() - this.#at);
  }

  /** Takes a new sample. @throws GatewayError SERVICE_UNAVAILABLE; the earlier sample stays. */
  async sync(): Promise<void> {
    const { rows } = await this.#pool.query<{ now: Date }>({ name: 'clock', text: 'SELECT clock_timestamp() AS now' });
    this.#sample = rows[0]?.now.getTime() ?? this.#sample;
    this.#at = performance.now();
  }
}
