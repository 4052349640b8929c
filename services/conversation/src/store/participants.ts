import type { Pool, PoolClient } from 'pg';
import { type Database, queryPrisma } from './database.ts';

/** A user with whom a conversation is shared. */
export interface StoredParticipant {
  userId: string;
  /** viewer | editor */
  role: string;
  addedAt: Date;
}

/** Reads the role of a participant; null for none. */
export async function readParticipantRole(pool: Pool, conversationId: string, userId: string): Promise<string | null> {
  const text = 'SELECT role FROM participants WHERE conversation_id = $1 AND user_id = $2';
  const { rows } = await pool.query<{ role: string }>({ name: 'participant-role', text, values: [conversationId, userId] });
  return rows[0]?.role ?? null;
}

/** Lists the participants, in the order they were added. */
export function readParticipants({ prisma }: Database, conversationId: string): Promise<StoredParticipant[]> {
  const orderBy = [{ addedAt: 'asc' }, { userId: 'asc' }] as const;
  const select = { userId: true, role: true, addedAt: true };
  return queryPrisma(() => prisma.participant.findMany({ where: { conversationId }, select, orderBy: [...orderBy] }));
}

/** Finds a participant. */
export async function findParticipant(client: PoolClient, conversationId: string, userId: string): Promise<StoredParticipant | undefined> {
  const text = 'SELECT user_id AS "userId", role, added_at AS "addedAt" FROM participants WHERE conversation_id = $1 AND user_id = $2';
  const { rows } = await client.query<StoredParticipant>(text, [conversationId, userId]);
  return rows[0];
}

const PUT = `
INSERT INTO participants (conversation_id, user_id, workspace_id, role) VALUES ($1, $2, $3, $4)
ON CONFLICT (conversation_id, user_id) DO UPDATE SET role = excluded.role`;

/** Adds a participant, or changes the role. */
export async function putParticipant(
  client: PoolClient,
  { id, workspaceId }: { id: string; workspaceId: string },
  userId: string,
  role: string,
): Promise<void> {
  await client.query(PUT, [id, userId, workspaceId, role]);
}

/** Removes a participant; false when the user is not one. */
export async function removeParticipant(client: PoolClient, conversationId: string, userId: string): Promise<boolean> {
  const { rowCount } = await client.query('DELETE FROM participants WHERE conversation_id = $1 AND user_id = $2', [conversationId, userId]);
  return rowCount === 1;
}
