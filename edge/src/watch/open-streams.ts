import { GatewayError } from '@parley/protos/errors';
import { type ServerResponse } from 'node:http';

/** Most open change streams of one person at one edge. */
const MAX_STREAMS = 20;
const RETRY_MS = 5_000;

/** Counts the open change streams of people at this edge. */
export class OpenStreams {
  readonly #byPerson = new Map<string, number>();

  /** Counts a stream until its response closes. @throws GatewayError RATE_LIMIT_EXCEEDED when the person has too many */
  add(userId: string, res: ServerResponse): void {
    const streams = this.#byPerson.get(userId) ?? 0;
    if (streams >= MAX_STREAMS) {
      throw new GatewayError('RATE_LIMIT_EXCEEDED', `at most ${MAX_STREAMS} streams of changes may be open`, { retryAfterMs: RETRY_MS });
    }
    this.#byPerson.set(userId, streams + 1);
    res.once('close', () => this.#leave(userId));
  }

  #leave(userId: string): void {
    const left = (this.#byPerson.get(userId) ?? 1) - 1;
    if (left === 0) this.#byPerson.delete(userId);
    else this.#byPerson.set(userId, left);
  }
}
