import { GatewayError } from '@parley/protos/errors';

/** Answers end all the time, so it is worth trying again soon. */
const RETRY_MS = 1_000;

/**
 * Bounds the chat answers that one workspace has open at this edge, streams included, so that none takes the room of the others (spec §8:
 * concurrency of a workspace).
 */
export class WorkspaceBound {
  readonly #limit: number;
  readonly #open = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts an answer in; throws RATE_LIMIT_EXCEEDED when the workspace has as many open as it may. */
  enter(workspaceId: string): void {
    const open = this.#open.get(workspaceId) ?? 0;
    if (open >= this.#limit) {
      throw new GatewayError('RATE_LIMIT_EXCEEDED', `the workspace has ${open} requests under way, as many as it may`, {
        retryAfterMs: RETRY_MS,
      });
    }
    this.#open.set(workspaceId, open + 1);
  }

  /** Counts an answer out. */
  leave(workspaceId: string): void {
    const open = (this.#open.get(workspaceId) ?? 0) - 1;
    if (open > 0) this.#open.set(workspaceId, open);
    else this.#open.delete(workspaceId);
  }
}
