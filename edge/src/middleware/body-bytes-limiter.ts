import { GatewayError } from '@parley/protos/errors';

/** A body is usually read and parsed within a second. */
const RETRY_MS = 1_000;

/** Limits of the bytes of large bodies in memory at once. */
export interface BodyBytesLimits {
  /** For one workspace. */
  workspaceBytes: number;
  /** For all workspaces together. */
  totalBytes: number;
}

/** Limits the bytes of large bodies that arrive or wait to be parsed, so that one workspace cannot take the memory of the others. */
export class BodyBytesLimiter {
  readonly #bounds: BodyBytesLimits;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(bounds: BodyBytesLimits) {
    this.#bounds = bounds;
  }

  /** The bytes of all large bodies that are being read or parsed. */
  get bytes(): number {
    return this.#total;
  }

  /** Returns the counter of one body of a workspace; the empty id of the operator counts as a workspace. */
  createCounter(workspaceId: string): BodyBytesCounter {
    let mine = 0;
    return {
      add: (bytes) => {
        this.#take(workspaceId, bytes);
        mine += bytes;
      },
      release: () => {
        this.#give(workspaceId, mine);
        mine = 0;
      },
    };
  }

  #take(workspaceId: string, bytes: number): void {
    const held = (this.#held.get(workspaceId) ?? 0) + bytes;
    if (held > this.#bounds.workspaceBytes) {
      const message = `the requests of the workspace exceed ${this.#bounds.workspaceBytes} bytes at once`;
      throw new GatewayError('RATE_LIMIT_EXCEEDED', message, { retryAfterMs: RETRY_MS });
    }
    if (this.#total + bytes > this.#bounds.totalBytes) {
      throw new GatewayError('SERVICE_UNAVAILABLE', 'too many large requests at once', { retryAfterMs: RETRY_MS });
    }
    this.#held.set(workspaceId, held);
    this.#total += bytes;
  }

  #give(workspaceId: string, bytes: number): void {
    const left = (this.#held.get(workspaceId) ?? 0) - bytes;
    if (left > 0) this.#held.set(workspaceId, left);
    else this.#held.delete(workspaceId);
    this.#total -= bytes;
  }
}

/** Counts the bytes of one body. */
export interface BodyBytesCounter {
  /** Adds bytes. @throws GatewayError RATE_LIMIT_EXCEEDED over the workspace limit, SERVICE_UNAVAILABLE over the total limit */
  add(bytes: number): void;
  /** Removes all bytes of this body from the count. */
  release(): void;
}
