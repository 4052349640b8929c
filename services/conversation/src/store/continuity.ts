import { transaction } from '@parley/kit/db/pool';
import { RECOVERABLE_STATUSES } from '../domain/continuity.ts';
import { type ChangedConversation, toConversationEvent } from '../domain/conversation-event.ts';
import { insertEvents } from './outbox.ts';
import { type Store } from './store.ts';

const CHUNK = 1_000;

/** Locks in the same order as turns, so that the two cannot deadlock. */
const CLEAR = `
UPDATE conversations c SET continuity_status = 'available', updated_at = now()
FROM (SELECT id FROM conversations WHERE upstream_account_id = $1 AND continuity_status IN (${RECOVERABLE_STATUSES.map((status) => `'${status}'`).join(', ')})
  ORDER BY id LIMIT ${CHUNK} FOR NO KEY UPDATE) given
WHERE c.id = given.id
RETURNING c.id, c.workspace_id AS "workspaceId", c.owner_user_id AS "ownerUserId", c.status, c.continuity_status AS "continuityStatus",
  c.deleted_at IS NOT NULL AS deleted, now() AS at`;

/** Sets conversations on a connection to `available` if their status was that of the connection, and writes their events. */
export async function clearContinuity({ database, wakeOutboxRelay }: Store, upstreamAccountId: string): Promise<void> {
  for (let cleared = CHUNK; cleared === CHUNK;) {
    cleared = await transaction(database.generalPool, async (client) => {
      const { rows } = await client.query<ChangedConversation & { deleted: boolean; at: Date }>(CLEAR, [upstreamAccountId]);
      const present = rows.filter(({ deleted }) => !deleted);
      await insertEvents(
        client,
        present.map((row) => toConversationEvent('continuityChanged', row, row.at)),
      );
      return rows.length;
    });
    if (cleared > 0) wakeOutboxRelay();
  }
}
