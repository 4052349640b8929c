import { type Database, runQuery } from './client.ts';

/** Returns the provider that a session was started with, and its encrypted ID token; null for a session of another method. */
export async function findProviderOfSession(db: Database, id: string): Promise<{ providerId: string; idToken: Uint8Array | null } | null> {
  const row = await runQuery(db.session.findUnique({ where: { id }, select: { providerId: true, idToken: true } }));
  return row?.providerId ? { providerId: row.providerId, idToken: row.idToken } : null;
}
