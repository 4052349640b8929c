import { GatewayError } from '@parley/protos/errors';

/** A body is read and parsed within a second, unless its client is slow. */
const RETRY_MS = 1_000;

/** Limits of the bytes of bodies in memory. */
export interface BodyBytesLimits {
  /** Of one workspace. */
  workspaceBytes: number;
  /** Of all of them. */
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

  /** The bytes of all large bodies that are being read and parsed. */
  get bytes(): number {
    return this.#total;
  }

  /** The bytes of one body of a workspace; the operator has a share like any workspace. */
  share(workspaceId: string): BodyBytesShare {
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

/** The bytes of one body. */
export interface BodyBytesShare {
  /** Counts bytes in. @throws GatewayError RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE when that is too many */
  add(bytes: number): void;
  /** Counts all of them out. */
  release(): void;
}
