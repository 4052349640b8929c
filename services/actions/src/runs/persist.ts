import { LeaseLost } from '@parley/kit/leases/lease';
import { pause } from '@parley/kit/lifecycle/pause';
import { toGatewayError } from '@parley/protos/errors';

const AGAIN_MS = 250;

/**
 * Makes a move that can be made again, until the record has heard of it: an outcome that is forgotten would have to be found out by a person. Once the
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
