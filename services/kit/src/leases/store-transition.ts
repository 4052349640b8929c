import { LeaseLostError } from './lease.ts';

/** The database failed: it is unknown whether the transition was stored, so the next worker decides after the lease expires. */
export class TransitionOutcomeUnknownError extends Error {
  override name = 'TransitionUnknown';
}

/**
 * Stores a state transition of leased work with `write`; its LeaseLostError passes through.
 * @throws LeaseLostError; TransitionOutcomeUnknownError for any other error
 */
export async function storeTransition(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw error instanceof LeaseLostError
      ? error
      : new TransitionOutcomeUnknownError('the transition may not have been stored', { cause: error });
  }
}
