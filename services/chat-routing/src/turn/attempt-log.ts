import { type Logger } from '@parley/kit/log/logger';
import { type TurnAttempt } from '@parley/protos/conversation/v1/conversation';
import { type GatewayError } from '@parley/protos/errors';
import { MAX_ATTEMPTS } from '../domain/attempts.ts';

/** A finished attempt of a turn. */
export interface EndedAttempt {
  connectionId: string;
  durationMs: number;
  /** Undefined when the upstream accepted the attempt and it did not fail. */
  error: GatewayError | undefined;
}

/** Collects the finished attempts of one turn for the turn record and the log. */
export class AttemptLog {
  readonly #attempts: TurnAttempt[] = [];
  readonly #errors: GatewayError[] = [];
  readonly #connections = new Set<string>();

  /** Ids of the connections that were tried. */
  get connections(): ReadonlySet<string> {
    return this.#connections;
  }

  /** Errors of the failed attempts, in order. */
  get errors(): readonly GatewayError[] {
    return this.#errors;
  }

  /** Whether another connection may be tried: fewer than MAX_ATTEMPTS have been. */
  get canTryAnother(): boolean {
    return this.#connections.size < MAX_ATTEMPTS;
  }

  /** Appends an attempt. */
  add({ connectionId, durationMs, error }: EndedAttempt): void {
    this.#connections.add(connectionId);
    if (error) this.#errors.push(error);
    this.#attempts.push({
      connectionId,
      outcome: error?.condition ?? 'ok',
      upstreamStatus: error?.upstream?.status ?? 0,
      words: error?.upstream?.responseText ?? '',
      durationMs: Math.round(durationMs),
    });
  }

  /** Returns a copy of the attempts for the turn record. */
  list(): TurnAttempt[] {
    return [...this.#attempts];
  }

  /** Logs the last attempt as a warning; call it after a failed one was added. */
  logLastFailure(log: Logger, facts: { turnId: string; requestId: string }): void {
    log.warn({ ...facts, ...this.#attempts.at(-1) }, 'an attempt of a turn failed');
  }
}
