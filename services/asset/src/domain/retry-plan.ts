import { type ErrorCondition, type GatewayError } from '@parley/protos/errors';

/** A failed attempt to fetch an asset. */
export interface FailedAttempt {
  error: Pick<GatewayError, 'condition' | 'retryAfterMs' | 'row'>;
  /** Number of attempts that had failed before. */
  attempts: number;
  /** Time until the asset fails permanently, in milliseconds. */
  remainingMs: number;
}

/** Delay until the next attempt, and the number of failed attempts then. */
export interface RetryPlan {
  delayMs: number;
  attempts: number;
}

/** Conditions that are not caused by the artifact or its upstream: they are retried without counting as attempts. */
const PATIENT: ReadonlySet<ErrorCondition> = new Set(['ASSET_NOT_READY', 'SERVICE_UNAVAILABLE', 'SHUTTING_DOWN']);

const MAX_ATTEMPTS = 3;
const PATIENT_MS = 2_000;
const FIRST_MS = 1_000;

/**
 * Returns when to retry a failed attempt; undefined when the failure is final. Delays vary randomly, so that assets that failed together
 * are not retried together.
 */
export function planRetry({ error, attempts, remainingMs }: FailedAttempt, random: () => number = Math.random): RetryPlan | undefined {
  const { condition, retryAfterMs = 0, row } = error;
  // `retryable` is null for unexpected errors, which may be temporary too.
  if (row.retryable === false) return undefined;
  const patient = PATIENT.has(condition);
  const failed = patient ? attempts : attempts + 1;
  if (failed >= MAX_ATTEMPTS) return undefined;
  const wait = patient ? PATIENT_MS : FIRST_MS * 4 ** attempts;
  const delayMs = Math.round(Math.max(retryAfterMs, wait * (0.5 + random() / 2)));
  return delayMs < remainingMs ? { delayMs, attempts: failed } : undefined;
}

/**
 * Maximum number of abandoned attempts. The first crashes may have other causes; repeated crashes with the same asset are caused by the
 * asset.
 */
const MAX_SILENCES = 5;

/** Whether an asset has too many abandoned attempts to be fetched again. */
export function hasTooManyAbandonedAttempts({ silences }: { silences: number }): boolean {
  return silences > MAX_SILENCES;
}
