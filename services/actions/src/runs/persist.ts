import { LeaseLost } from '@parley/kit/leases/lease';
import { pause } from '@parley/kit/lifecycle/pause';
import { toGatewayError } from '@parley/protos/errors';

const AGAIN_MS = 250;

/**
 * Repeats an idempotent change until it is stored: the outcome of a step must not be lost. Once the
 * signal aborts it is tried once more at the most.
 */
export async function persist<T>(move: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await move();
    } catch (error) {
      if (error instanceof LeaseLost || signal.aborted || toGatewayError(error).condition !== 'SERVICE_UNAVAILABLE') throw error;
      await pause(AGAIN_MS, signal);
    }
  }
}
