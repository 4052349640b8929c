import { runQuery } from './client.ts';
import { type DatabaseOrTransaction } from './sessions.ts';

/** Serialises changes of roles and user statuses until the transaction ends, so that two of them cannot remove the last two owners. */
export async function lockOwners(tx: DatabaseOrTransaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '.owners', 0))`;
}

/** True when a user is owner of the gateway; a disabled one counts, so that setup cannot be repeated. */
export async function hasOwner(db: DatabaseOrTransaction): Promise<boolean> {
  return (await runQuery(db.user.findFirst({ where: { instanceRole: 'owner' }, select: { id: true } }))) !== null;
}

/** Counts the active owners of the gateway who can sign in, without the user with this id. */
export function countOtherOwners(tx: DatabaseOrTransaction, id: string): Promise<number> {
  return tx.user.count({ where: { instanceRole: 'owner', status: 'active', email: { not: null }, id: { not: id } } });
}
