import type { Pool } from 'pg';

/** The partial text of an answer. */
export interface PartialText {
  turnId: string;
  /** Null, like the key, for a service on its own behalf. */
  workspaceId: string | null;
  keyId: string | null;
  text: string;
}

const SAVE_PARTIALS = `
INSERT INTO turn_partials (turn_id, text, updated_at)
SELECT g.turn_id, g.text, now()
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) AS g (turn_id, workspace_id, key_id, text)
WHERE (SELECT g.key_id IS NULL OR (t.workspace_id = g.workspace_id AND t.key_id = g.key_id) FROM turns t WHERE t.id = g.turn_id)
  AND (SELECT e.turn_id FROM turn_ends e WHERE e.turn_id = g.turn_id) IS NULL
ORDER BY g.turn_id
ON CONFLICT (turn_id) DO UPDATE SET text = excluded.text, updated_at = excluded.updated_at`;

/** Saves the newest text of each turn that has not ended and belongs to the caller; ignores others. */
export async function savePartials(pool: Pool, partials: readonly PartialText[]): Promise<void> {
  // A statement cannot write a row twice, and only the last text counts.
  const newest = [...new Map(partials.map((partial) => [partial.turnId, partial])).values()];
  const values = [
    newest.map((partial) => partial.turnId),
    newest.map((partial) => partial.workspaceId),
    newest.map((partial) => partial.keyId),
    newest.map((partial) => partial.text),
  ];
  await pool.query({ name: 'save-partials', text: SAVE_PARTIALS, values });
}

/** Deletes texts that were saved while their turn ended. */
export async function deletePartialsOfEndedTurns(pool: Pool): Promise<void> {
  await pool.query('DELETE FROM turn_partials p USING turn_ends e WHERE e.turn_id = p.turn_id');
}
