import { LeaseLost } from './lease.ts';

/** The record could not be asked: nobody knows what it says now, so everything is left to whoever has the work once the lease is over. */
export class Unrecorded extends Error {
  override name = 'Unrecorded';
}

/** Runs a move in the record. @throws LeaseLost, Unrecorded */
export async function recorded(move: () => Promise<void>): Promise<void> {
  try {
    await move();
  } catch (error) {
    throw error instanceof LeaseLost ? error : new Unrecorded('the record could not be asked', { cause: error });
  }
}
