import { type Condition, type GatewayError } from '@parley/protos/errors';

/** A job that has just failed. */
export interface FailedAttempt {
  error: Pick<GatewayError, 'condition' | 'retryAfterMs' | 'row'>;
  /** Those that had failed before. */
  attempts: number;
  /** Time until it fails for good, in milliseconds. */
  remainingMs: number;
}

/** When the next attempt is due, and what the count is then. */
export interface Retry {
  delayMs: number;
  attempts: number;
}

/** Nothing is wrong with the artifact or its upstream: these cost patience, not attempts. */
const PATIENT: ReadonlySet<Condition> = new Set(['ASSET_NOT_READY', 'SERVICE_UNAVAILABLE', 'SHUTTING_DOWN']);

const MAX_ATTEMPTS = 3;
const PATIENT_MS = 2_000;
const FIRST_MS = 1_000;

/** What to do about a failed attempt; undefined: it is final. Waits vary by half, so that assets that failed together come back apart. */
export function planRetry({ error, attempts, remainingMs }: FailedAttempt, random: () => number = Math.random): Retry | undefined {
  const { condition, retryAfterMs = 0, row } = error;
  // Null stands for unexpected errors, which may be temporary too.
  if (row.retryable === false) return undefined;
  const patient = PATIENT.has(condition);
  const failed = patient ? attempts : attempts + 1;
  if (failed >= MAX_ATTEMPTS) return undefined;
  const wait = patient ? PATIENT_MS : FIRST_MS * 4 ** attempts;
  const delayMs = Math.round(Math.max(retryAfterMs, wait * (0.5 + random() / 2)));
  return delayMs < remainingMs ? { delayMs, attempts: failed } : undefined;
}

/** The first crashes may have other causes; repeated crashes with the same asset are caused by the asset. */
const MAX_SILENCES = 5;

/** True for an asset with too many abandoned attempts to be claimed again. */
export function hasTooManyAbandonedAttempts({ silences }: { silences: number }): boolean {
  return silences > MAX_SILENCES;
}
