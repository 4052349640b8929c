import { setTimeout as delay } from 'node:timers/promises';
import { GatewayError } from '@parley/protos/errors';

/** Enough for a passage at the slowest speed. */
const ATTEMPT_MS = 120_000;
const ATTEMPTS = 3;
const BACKOFF_MS = 500;
/** A longer wait is the queue's, not a worker's. */
const MAX_WAIT_MS = 10_000;

/**
 * Asks a speech server; what may pass is tried again, three times in all, each for so many milliseconds at most.
 * @throws coded errors; the signal's reason
 */
export async function withAttempts<T>(
  signal: AbortSignal,
  attempt: (signal: AbortSignal) => Promise<T>,
  attemptMs = ATTEMPT_MS,
): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt(AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const failure = error instanceof GatewayError ? error : unreachable(error);
      const waitMs = failure.retryAfterMs ?? BACKOFF_MS * 2 ** (count - 1);
      if (count === ATTEMPTS || !failure.row.retryable || waitMs > MAX_WAIT_MS) throw failure;
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

function unreachable(cause: unknown): GatewayError {
  const isLate = cause instanceof Error && cause.name === 'TimeoutError';
  if (isLate) return new GatewayError('PROVIDER_TIMEOUT', 'the speech server did not answer in time', { cause });
  return new GatewayError('PROVIDER_UNAVAILABLE', 'the speech server cannot be reached', { cause });
}
