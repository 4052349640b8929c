import { type ContinuityStatus, RECOVERABLE } from '../domain/continuity.ts';
import { type Database, asked } from './database.ts';

const CHUNK = 1_000;

/** Sets the continuity status of a conversation. */
export async function setContinuity({ prisma }: Database, id: string, status: ContinuityStatus): Promise<void> {
  // Raw for the sake of now(): times are the database's.
  await asked(
    () => prisma.$executeRaw`
      UPDATE conversations SET continuity_status = ${status}, updated_at = now() WHERE id = ${id}::uuid AND continuity_status <> ${status}`,
  );
}

/** Locks in the order in which turns lock, so that the two never wait for each other in a circle. */
const CLEAR = `
UPDATE conversations c SET continuity_status = 'available', updated_at = now()
FROM (SELECT id FROM conversations WHERE upstream_account_id = $1 AND continuity_status IN (${RECOVERABLE.map((status) => `'${status}'`).join(', ')})
  ORDER BY id LIMIT ${CHUNK} FOR NO KEY UPDATE) given
WHERE c.id = given.id`;

/** Makes the conversations on an account available again whose status came from the account. */
export async function clearContinuity({ cold }: Database, upstreamAccountId: string): Promise<void> {
  for (let cleared = CHUNK; cleared === CHUNK;) {
    const { rowCount } = await cold.query(CLEAR, [upstreamAccountId]);
    cleared = rowCount ?? 0;
  }
}
