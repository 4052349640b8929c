import type { Pool, PoolClient } from 'pg';
import { type ContinuityStatus } from '../domain/continuity.ts';
import { type Ownership } from '../domain/permission.ts';

/** A stored conversation. */
export interface StoredConversation extends Ownership {
  id: string;
  title: string;
  titleIsGiven: boolean;
  /** active | archived */
  status: string;
  upstreamAccountId: string;
  upstreamProjectId: string | null;
  destinationType: string;
  model: string;
  pinned: boolean;
  continuityStatus: ContinuityStatus;
  upstreamState: string;
  /** Number of listed messages, without those of a running turn. */
  messageCount: number;
  lastMessageAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** A conversation as one user finds it. */
export interface ConversationWithRole extends StoredConversation {
  /** The role of the user among the participants; null for none. */
  participantRole: string | null;
}

/** A conversation to insert. */
export interface NewConversation {
  id: string;
  workspaceId: string;
  ownerKeyId: string;
  ownerUserId: string | null;
  title: string;
  titleIsGiven: boolean;
  upstreamAccountId: string;
  upstreamProjectId: string | null;
  model: string;
  /** The caller named the connection. */
  accountNamed: boolean;
  messageCount: number;
}

/** SQL: the columns of a conversation `c`. */
export const CONVERSATION_COLUMNS = `c.id, c.workspace_id AS "workspaceId", c.owner_key_id AS "ownerKeyId", c.owner_user_id AS "ownerUserId",
  c.deleted_at AS "deletedAt", c.title, c.title_is_given AS "titleIsGiven", c.status, c.upstream_account_id AS "upstreamAccountId",
  c.upstream_project_id AS "upstreamProjectId", c.destination_type AS "destinationType", c.model, c.pinned,
  c.continuity_status AS "continuityStatus", c.upstream_state AS "upstreamState", c.message_count AS "messageCount",
  c.last_message_at AS "lastMessageAt", c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;

const FIND = `SELECT ${CONVERSATION_COLUMNS},
  (SELECT p.role FROM participants p WHERE p.conversation_id = c.id AND p.user_id = $2) AS "participantRole"
FROM conversations c WHERE c.id = $1`;

/** Finds the conversation with this id, deleted or not, with the role of a user (null: of no user). */
export async function findConversation(
  sql: Pool | PoolClient,
  id: string,
  userId: string | null,
): Promise<ConversationWithRole | undefined> {
  const { rows } = await sql.query<ConversationWithRole>({ name: 'find-conversation', text: FIND, values: [id, userId] });
  return rows[0];
}

/** Finds and locks the conversation until the transaction ends. Turns that end wait for the lock; turns that begin do not. */
export async function lockConversation(client: PoolClient, id: string, userId: string | null): Promise<ConversationWithRole | undefined> {
  const { rows } = await client.query<ConversationWithRole>(`${FIND} FOR NO KEY UPDATE OF c`, [id, userId]);
  return rows[0];
}

const INSERT = `
INSERT INTO conversations (id, workspace_id, owner_key_id, owner_user_id, title, title_is_given, upstream_account_id, upstream_project_id,
  destination_type, model, account_named, message_count)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $8::text IS NULL THEN 'general' ELSE 'project' END, $9, $10, $11)
ON CONFLICT DO NOTHING`;

/** Inserts a conversation; false when the id exists. */
export async function insertConversation(client: PoolClient, row: NewConversation): Promise<boolean> {
  const { id, workspaceId, ownerKeyId, ownerUserId, title, titleIsGiven } = row;
  const values = [id, workspaceId, ownerKeyId, ownerUserId, title, titleIsGiven];
  const { upstreamAccountId, upstreamProjectId, model, accountNamed, messageCount } = row;
  const { rowCount } = await client.query(INSERT, [...values, upstreamAccountId, upstreamProjectId, model, accountNamed, messageCount]);
  return rowCount === 1;
}

/** The columns to change; absent ones stay. */
export type ConversationChanges = Partial<
  Pick<
    StoredConversation,
    | 'title'
    | 'titleIsGiven'
    | 'pinned'
    | 'status'
    | 'continuityStatus'
    | 'upstreamState'
    | 'messageCount'
    | 'lastMessageAt'
    | 'ownerKeyId'
    | 'ownerUserId'
    | 'deletedAt'
  >
>;

const COLUMN_NAMES: Record<keyof ConversationChanges, string> = {
  title: 'title',
  titleIsGiven: 'title_is_given',
  pinned: 'pinned',
  status: 'status',
  continuityStatus: 'continuity_status',
  upstreamState: 'upstream_state',
  messageCount: 'message_count',
  lastMessageAt: 'last_message_at',
  ownerKeyId: 'owner_key_id',
  ownerUserId: 'owner_user_id',
  deletedAt: 'deleted_at',
};

/** Updates these columns of a conversation, and its `updated_at`. */
export async function updateConversation(client: PoolClient, id: string, changes: ConversationChanges): Promise<void> {
  const names = Object.keys(changes) as (keyof ConversationChanges)[];
  const sets = names.map((name, index) => `${COLUMN_NAMES[name]} = $${index + 2}`);
  const values = names.map((name) => changes[name]);
  await client.query(`UPDATE conversations SET ${[...sets, 'updated_at = now()'].join(', ')} WHERE id = $1`, [id, ...values]);
}

const GIVE_TITLE = `UPDATE conversations SET title = $2 WHERE id = $1 AND title = '' AND NOT title_is_given`;

/** Sets the title derived from the first message, unless the conversation has a title or a caller set an empty one. */
export async function setDefaultTitle(pool: Pool, id: string, title: string): Promise<void> {
  await pool.query({ name: 'give-title', text: GIVE_TITLE, values: [id, title] });
}
