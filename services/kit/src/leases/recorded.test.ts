import { expect, it } from '@jest/globals';
import { LeaseLost } from './lease.ts';
import { recorded, Unrecorded } from './recorded.ts';

it('tells a move that does not count from one that nobody knows of', async () => {
  await expect(recorded(async () => undefined)).resolves.toBeUndefined();
  const lost = new LeaseLost('somebody else has it');
  await expect(recorded(() => Promise.reject(lost))).rejects.toBe(lost);
  const cause = new Error('no database');
  await expect(recorded(() => Promise.reject(cause))).rejects.toEqual(new Unrecorded('the record could not be asked', { cause }));
});
