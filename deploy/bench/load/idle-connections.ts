import { Connection } from './connection.ts';
import { type Endpoint } from './request.ts';

// Servers close idle connections after 5 s and more (Node's default); one that is younger cannot be closed under a request.
const MAX_IDLE_MS = 2_000;

/** Connections that are idle, the last used first, so that the few that a low rate needs stay warm. */
export class IdleConnections {
  readonly #idle: { connection: Connection; since: number }[] = [];
  readonly #endpoint: Endpoint;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /** One that is free, opened where none is. */
  take(): Connection {
    const last = this.#idle.pop();
    if (last?.connection.free && performance.now() - last.since < MAX_IDLE_MS) return last.connection;
    last?.connection.close();
    return new Connection(this.#endpoint.host, this.#endpoint.port);
  }

  give(connection: Connection): void {
    if (connection.free) this.#idle.push({ connection, since: performance.now() });
  }

  close(): void {
    for (const { connection } of this.#idle.splice(0)) connection.close();
  }
}
