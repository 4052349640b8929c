import { expect, it } from '@jest/globals';
import { LeaseLost } from './lease.ts';
import { storeTransition, TransitionUnknown } from './store-transition.ts';

it('distinguishes a lost lease from a transition of unknown outcome', async () => {
  await expect(storeTransition(async () => undefined)).resolves.toBeUndefined();
  const lost = new LeaseLost('another worker has the lease');
  await expect(storeTransition(() => Promise.reject(lost))).rejects.toBe(lost);
  const cause = new Error('no database');
  await expect(storeTransition(() => Promise.reject(cause))).rejects.toEqual(
    new TransitionUnknown('the transition may not have been stored', { cause }),
  );
});
