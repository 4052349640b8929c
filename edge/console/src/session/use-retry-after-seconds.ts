import { asProblem } from '../api/problem.ts';
import { useNow } from '../ui/use-now.ts';

/** Returns the seconds until a request that got `Retry-After` may be retried; 0 when it may be retried now. */
export function useRetryAfterSeconds({ error, submittedAt }: { error: unknown; submittedAt: number }): number {
  const now = useNow();
  const { retryAfter = 0 } = error === null ? {} : asProblem(error);
  // The clock of the screen ticks once a second: without a delay nothing is waited for, not even the rest of its second.
  return retryAfter === 0 ? 0 : Math.max(0, Math.ceil((submittedAt + retryAfter * 1000 - now) / 1000));
}
