import { expect, it } from '@jest/globals';
import { LeaseLostError } from './lease.ts';
import { storeTransition, TransitionOutcomeUnknownError } from './store-transition.ts';

it('distinguishes a lost lease from a transition of unknown outcome', async () => {
  await expect(storeTransition(async () => undefined)).resolves.toBeUndefined();
  const lost = new LeaseLostError('another worker has the lease');
  await expect(storeTransition(() => Promise.reject(lost))).rejects.toBe(lost);
  const cause = new Error('no database');
  await expect(storeTransition(() => Promise.reject(cause))).rejects.toEqual(
    new TransitionOutcomeUnknownError('the transition may not have been stored', { cause }),
  );
});
