import { LeaseLostError } from '@parley/kit/leases/lease';
import { pause } from '@parley/kit/lifecycle/pause';
import { toGatewayError } from '@parley/protos/errors';

const AGAIN_MS = 250;

/**
 * Repeats an idempotent change while the database is unavailable, as the outcome of a step must not be lost. After the signal aborts, it
 * tries once more at most. Rejects with LeaseLostError and any other error.
 */
export async function retryWhileUnavailable<T>(move: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await move();
    } catch (error) {
      if (error instanceof LeaseLostError || signal.aborted || toGatewayError(error).condition !== 'SERVICE_UNAVAILABLE') throw error;
      await pause(AGAIN_MS, signal);
    }
  }
}
