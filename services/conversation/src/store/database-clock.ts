import type { Pool } from 'pg';

/** The database's time without asking it each time: one sample, carried on by the monotonic clock, so that a jump of ours changes nothing. */
export class DatabaseClock {
  readonly #pool: Pool;
  #sample = Date.now();
  #at = performance.now();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** The database's time now, within about a round trip. */
  now(): Date {
    return new Date(this.#sample + performance.now() - this.#at);
  }

  /** Takes a new sample. @throws GatewayError SERVICE_UNAVAILABLE; the earlier sample then stays. */
  async sync(): Promise<void> {
    const { rows } = await this.#pool.query<{ now: Date }>({ name: 'clock', text: 'SELECT clock_timestamp() AS now' });
    this.#sample = rows[0]?.now.getTime() ?? this.#sample;
    this.#at = performance.now();
  }
}
