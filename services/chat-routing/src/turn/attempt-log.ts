import { type Logger } from '@parley/kit/log/logger';
import { type TurnAttempt } from '@parley/protos/conversation/v1/conversation';
import { type GatewayError } from '@parley/protos/errors';
import { MAX_ATTEMPTS } from '../domain/attempts.ts';

/** An attempt that is over. */
export interface EndedAttempt {
  connectionId: string;
  durationMs: number;
  /** Undefined for one that was accepted and did not fail. */
  error: GatewayError | undefined;
}

/** The attempts to put one turn to a connection, as the record and the log keep them. */
export class AttemptLog {
  readonly #attempts: TurnAttempt[] = [];
  readonly #errors: GatewayError[] = [];
  readonly #connections = new Set<string>();

  /** The connections that were tried. */
  get connections(): ReadonlySet<string> {
    return this.#connections;
  }

  /** Why the attempts failed, in their order. */
  get errors(): readonly GatewayError[] {
    return this.#errors;
  }

  /** Whether another connection may be tried. */
  get hasMore(): boolean {
    return this.#connections.size < MAX_ATTEMPTS;
  }

  /** Keeps an attempt. */
  add({ connectionId, durationMs, error }: EndedAttempt): void {
    this.#connections.add(connectionId);
    if (error) this.#errors.push(error);
    this.#attempts.push({
      connectionId,
      outcome: error?.condition ?? 'ok',
      upstreamStatus: error?.upstream?.status ?? 0,
      words: error?.upstream?.words ?? '',
      durationMs: Math.round(durationMs),
    });
  }

  /** The attempts for the record. */
  list(): TurnAttempt[] {
    return [...this.#attempts];
  }

  /** Logs the last attempt, which failed. */
  warn(log: Logger, facts: { turnId: string; requestId: string }): void {
    log.warn({ ...facts, ...this.#attempts.at(-1) }, 'an attempt of a turn failed');
  }
}
