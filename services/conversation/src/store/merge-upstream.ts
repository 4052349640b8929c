import { uuidv7 } from '@parley/kit/ids/uuid';
import type { PoolClient } from 'pg';
import { type LocalMessage, type LocalTurn, type UpstreamMessage } from '../domain/message-matcher.ts';
import { type MergePlan, type MessageUpsert, planMerge } from '../domain/plan-merge.ts';
import { omitReplacedAnswers } from '../domain/replaced-answers.ts';

const READ_MESSAGES = `
SELECT id, turn_id AS "turnId", turn_id IS NOT NULL AS "ofTurn", upstream_id AS "upstreamId", role, content, model, sequence, position, removed_at IS NOT NULL AS removed
FROM messages WHERE conversation_id = $1 ORDER BY sequence, position`;

const READ_TURNS = `
SELECT t.id, t.sequence, t.message_count AS "messageCount", e.status
FROM turns t LEFT JOIN turn_ends e ON e.turn_id = t.id WHERE t.conversation_id = $1`;

/** Result of a merge. */
export interface MergeResult {
  isChanged: boolean;
  /** Number of listed messages after the merge. */
  messageCount: number;
  /** Time of the newest added message, if known. */
  newestAt: Date | undefined;
  /** The first user message; empty without one. */
  firstUserMessage: string;
}

/** Merges the messages of the upstream into a locked conversation: the whole branch, or with `onlyAdded` its new messages. */
export async function mergeMessages(
  client: PoolClient,
  conversationId: string,
  upstream: readonly UpstreamMessage[],
  { lastSequence, onlyAdded }: { lastSequence: number; onlyAdded: boolean },
): Promise<MergeResult> {
  const { rows: local } = await client.query<LocalMessage>(READ_MESSAGES, [conversationId]);
  const { rows: turns } = await client.query<LocalTurn>(READ_TURNS, [conversationId]);
  const plan = planMerge({ local, turns, upstream, lastSequence, onlyAdded, newId: uuidv7 });
  await write(client, conversationId, plan);
  const shown = await readShown(client, conversationId);
  const added = plan.changed.flatMap(({ isNew, createdAt }) => (isNew && createdAt ? [createdAt] : []));
  return {
    isChanged: plan.changed.length + plan.removedIds.length > 0,
    messageCount: shown.length,
    newestAt: added.toSorted((a, b) => b.getTime() - a.getTime())[0],
    firstUserMessage: shown.find(({ role, content }) => role === 'user' && content !== '')?.content ?? '',
  };
}

/** True when a turn has begun since the upstream was read. The conversation is locked, so no turn ends in the meantime. */
export async function hasLaterTurn(client: PoolClient, conversationId: string, lastSequence: number): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM turns WHERE conversation_id = $1 AND sequence > $2 LIMIT 1', [
    conversationId,
    Math.min(lastSequence, 0x7fff_ffff),
  ]);
  return rowCount === 1;
}

async function readShown(client: PoolClient, conversationId: string): Promise<LocalMessage[]> {
  const { rows } = await client.query<LocalMessage>(READ_MESSAGES, [conversationId]);
  const { rows: open } = await client.query<{ id: string }>(
    'SELECT t.id FROM turns t WHERE t.conversation_id = $1 AND NOT EXISTS (SELECT FROM turn_ends e WHERE e.turn_id = t.id)',
    [conversationId],
  );
  // The messages of a turn count when it ends.
  const running = new Set(open.map(({ id }) => id));
  return omitReplacedAnswers(rows.filter(({ removed, turnId }) => !removed && !(turnId !== null && running.has(turnId))));
}

async function write(client: PoolClient, conversationId: string, { changed, removedIds }: MergePlan): Promise<void> {
  await client.query('UPDATE messages SET removed_at = now() WHERE id = ANY ($1::uuid[])', [removedIds]);
  for (const message of changed) await (message.isNew ? insert : update)(client, conversationId, message);
}

const INSERT = `
INSERT INTO messages (id, conversation_id, turn_id, sequence, position, content, model, upstream_id, role, created_at)
VALUES ($1, $2, NULL, $3, $4, $5, $6, $7, $8, LEAST(COALESCE($9, now()), now()))`;

/** An edited text replaces the text parts; images and files stay. A message of text and files has no text part. */
const UPDATE = `
UPDATE messages SET sequence = $3, position = $4, content = $5, model = $6, upstream_id = $7, removed_at = NULL,
  parts = CASE WHEN parts IS NULL OR content = $5 THEN parts ELSE CASE WHEN parts @? '$[*] ? (@.type != "file")'
    THEN jsonb_build_array(jsonb_build_object('type', 'text', 'text', $5::text)) ELSE '[]' END ||
    COALESCE((SELECT jsonb_agg(p) FROM jsonb_array_elements(parts) p WHERE p ->> 'type' <> 'text'), '[]') END
WHERE id = $1 AND conversation_id = $2`;

async function insert(client: PoolClient, conversationId: string, message: MessageUpsert): Promise<void> {
  await client.query(INSERT, [...toValues(conversationId, message), message.role, message.createdAt ?? null]);
}

async function update(client: PoolClient, conversationId: string, message: MessageUpsert): Promise<void> {
  await client.query(UPDATE, toValues(conversationId, message));
}

function toValues(conversationId: string, { id, sequence, position, content, model, upstreamId }: MessageUpsert): unknown[] {
  return [id, conversationId, sequence, position, content, model, upstreamId];
}
