import { GatewayError } from '@parley/protos/errors';
import { type ServerResponse } from 'node:http';
import { ConcurrencyLimitError } from './errors.ts';
import { type Principal } from './principal.ts';

/** Answers end often, so a retry after this many milliseconds usually succeeds. */
const RETRY_MS = 1_000;

/** The workspace of a request, and its limit. */
type Member = Pick<Principal, 'workspaceId' | 'maxConcurrency'>;

/**
 * Limits the concurrent requests of one workspace at this edge, open streams included, so that one workspace cannot take the capacity of
 * the others.
 */
export class ConcurrencyLimiter {
  readonly #limit: number;
  readonly #open = new Map<string, number>();

  /** `limit` applies to workspaces that have no limit set. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Counts a request until its response closes.
   * @throws GatewayError RATE_LIMIT_EXCEEDED when the workspace is at its limit, CANCELLED when the client has left
   */
  enter({ workspaceId, maxConcurrency }: Member, res: ServerResponse): void {
    // Its `close` event has fired: nothing would decrement the count.
    if (res.destroyed) throw new GatewayError('CANCELLED', 'the client left');
    const open = this.#open.get(workspaceId) ?? 0;
    if (open >= (maxConcurrency ?? this.#limit)) throw new ConcurrencyLimitError(open, RETRY_MS);
    this.#open.set(workspaceId, open + 1);
    res.once('close', () => this.#leave(workspaceId));
  }

  #leave(workspaceId: string): void {
    const open = (this.#open.get(workspaceId) ?? 0) - 1;
    if (open > 0) this.#open.set(workspaceId, open);
    else this.#open.delete(workspaceId);
  }
}
