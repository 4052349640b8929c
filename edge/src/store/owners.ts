import { runQuery } from './client.ts';
import { type Writer } from './sessions.ts';

/** Changes of roles and of the status of people follow one another, so that two of them cannot remove the last two owners at once. */
export async function lockOwners(tx: Writer): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '.owners', 0))`;
}

/** True once the gateway has an owner; a disabled one counts, so that set-up never opens again. */
export async function hasOwner(db: Writer): Promise<boolean> {
  return (await runQuery(db.user.findFirst({ where: { instanceRole: 'owner' }, select: { id: true } }))) !== null;
}

/** Active owners of the gateway who can sign in, but one person. */
export function countOtherOwners(tx: Writer, id: string): Promise<number> {
  return tx.user.count({ where: { instanceRole: 'owner', status: 'active', email: { not: null }, id: { not: id } } });
}
