import { GatewayError } from '@parley/protos/errors';
import { setTimeout as delay } from 'node:timers/promises';

/** Default timeout of an attempt in milliseconds; enough for a passage at the slowest speed. */
const ATTEMPT_MS = 120_000;
const ATTEMPTS = 3;
const BACKOFF_MS = 500;
/** Longest wait between attempts, in milliseconds; longer ones are left to the queue of jobs. */
const MAX_WAIT_MS = 10_000;

/**
 * Calls a speech server up to three times: repeats attempts that fail with a retryable error. `attemptMs` is the timeout of each attempt.
 * @throws coded errors; the signal's reason
 */
export async function withRetries<T>(
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
