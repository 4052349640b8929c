import { encodeIntArray, encodeUuidArray } from '@parley/kit/db/binary-array';
import { transaction } from '@parley/kit/db/pool';
import type { Pool } from 'pg';
import { type ClosingTurn } from '../domain/turn-ended-event.ts';
import { endTurns } from './end-turns.ts';

/** An asset of a message that is ready or has failed. Ids are UUIDs. */
export interface SettledAsset {
  assetId: string;
  messageId: string;
  conversationId: string;
}

/** Both statements lock rows in the order of their ids, so that they cannot deadlock. */
const KEEP = `
INSERT INTO message_assets (asset_id, message_id, conversation_id, position)
SELECT g.asset_id, t.assistant_message_id, t.conversation_id, g.position
FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS g (asset_id, turn_id, position)
CROSS JOIN LATERAL (SELECT * FROM turns WHERE id = g.turn_id OFFSET 0) t
ORDER BY g.asset_id
ON CONFLICT (asset_id) DO UPDATE
SET message_id = excluded.message_id, conversation_id = excluded.conversation_id, position = excluded.position`;

/**
 * Ends turns like `endTurns` and writes their assets, in one transaction. Turns without artifacts use `endTurns`, which is cheaper.
 */
export function endTurnsWithAssets(pool: Pool, turns: readonly ClosingTurn[]): Promise<boolean[]> {
  return transaction(pool, async (client) => {
    const closed = await endTurns(client, turns);
    const made = turns.flatMap(({ end: { turnId, artifacts } }, index) =>
      closed[index] ? artifacts.map(({ assetId }, position) => ({ assetId, turnId, position })) : [],
    );
    const columns = [
      encodeUuidArray(made.map(({ assetId }) => assetId)),
      encodeUuidArray(made.map(({ turnId }) => turnId)),
      encodeIntArray(made.map(({ position }) => position)),
    ];
    if (made.length > 0) await client.query({ name: 'keep-assets', text: KEEP, values: columns });
    return closed;
  });
}

const SETTLE = `
INSERT INTO message_assets (asset_id, message_id, conversation_id, done)
SELECT DISTINCT ON (asset_id) asset_id, message_id, conversation_id, true
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS g (asset_id, message_id, conversation_id)
ORDER BY asset_id
ON CONFLICT (asset_id) DO UPDATE SET done = true`;

/** Marks assets as settled (ready or failed), also of turns that have not ended. Idempotent. */
export async function settleAssets(pool: Pool, assets: readonly SettledAsset[]): Promise<void> {
  await pool.query(SETTLE, [
    assets.map(({ assetId }) => assetId),
    assets.map(({ messageId }) => messageId),
    assets.map(({ conversationId }) => conversationId),
  ]);
}
