import { transaction } from '@parley/kit/db/pool';
import { isUuid } from '@parley/kit/ids/uuid';
import { type WorkOrigin } from '@parley/kit/rpc/work-origin';
import { type ActionInput, type InputClaim, requireClaimable } from '../domain/action-input.ts';
import { type StoredContent, type StoredAsset } from '../domain/asset.ts';
import { ASSET_COLUMNS } from './asset-row.ts';
import { changeAssetsUncounted, changeAssets } from './change-assets.ts';
import { type Database } from './database.ts';
import { type OrphanedBlobKeys } from './remove-assets.ts';
import { type Store } from './store.ts';

/** How long the row of a file is kept after it expired. */
const REMEMBERED = `interval '8 days'`;

const INPUT_COLUMNS = `${ASSET_COLUMNS}, inputs.action_slug AS "actionSlug", inputs.expires_at AS "expiresAt", inputs.run_id AS "runId"`;
const INPUTS = 'action_inputs AS inputs JOIN assets ON assets.id = inputs.asset_id';

/** A stored file for an action, to be inserted. */
export interface NewActionInput {
  id: string;
  workspaceId: string;
  actionSlug: string;
  fileName: string;
  content: StoredContent;
  origin: WorkOrigin;
}

const INSERT_ASSET = `
INSERT INTO assets (id, workspace_id, asset_type, file_name, status, blob_key, size_bytes, sha256, mime_type, width, height, expires_at,
                    request_id, traceparent)
VALUES ($1, $2, 'action_input', $3, 'ready', $4, $5, $6, $7, $8, $9, now() + $10 * interval '1 ms' + ${REMEMBERED}, $11, $12)`;
const INSERT_INPUT = `
INSERT INTO action_inputs (asset_id, workspace_id, action_slug, expires_at, drop_at)
VALUES ($1, $2, $3, now() + $4 * interval '1 ms', now() + $4 * interval '1 ms')`;

/** Inserts a stored file for an action; it can be assigned to a run for `ttlMs` milliseconds. */
export async function insertActionInput(store: Store, input: NewActionInput, ttlMs: number): Promise<ActionInput> {
  const { id, workspaceId, actionSlug, fileName, content, origin } = input;
  const [stored] = await changeAssets(store, async (client) => {
    const facts = [content.blobKey, content.sizeBytes, content.sha256, content.mimeType, content.width, content.height];
    await client.query(INSERT_ASSET, [id, workspaceId, fileName, ...facts, ttlMs, origin.requestId, origin.traceparent]);
    await client.query(INSERT_INPUT, [id, workspaceId, actionSlug, ttlMs]);
    const { rows } = await client.query<ActionInput>(`SELECT ${INPUT_COLUMNS} FROM ${INPUTS} WHERE inputs.asset_id = $1`, [id]);
    return rows;
  });
  if (!stored) throw new Error('an action input was inserted and is not there');
  return stored;
}

/** Returns a page of the files that a workspace uploaded for an action, newest first, and the total number. */
export async function listInputs(
  { pool }: Database,
  where: { workspaceId: string; actionSlug: string },
  page: { limit: number; offset: number },
): Promise<{ inputs: ActionInput[]; total: number }> {
  const of = [where.workspaceId, where.actionSlug];
  const { rows: inputs } = await pool.query<ActionInput>(
    `SELECT ${INPUT_COLUMNS} FROM ${INPUTS} WHERE inputs.workspace_id = $1 AND inputs.action_slug = $2
     ORDER BY inputs.created_at DESC, inputs.asset_id DESC LIMIT $3 OFFSET $4`,
    [...of, page.limit, page.offset],
  );
  const counted = await pool.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM action_inputs WHERE workspace_id = $1 AND action_slug = $2',
    of,
  );
  return { inputs, total: counted.rows[0]?.total ?? 0 };
}

/** Finds a file that is assigned to a run of the workspace; undefined when it does not exist. */
export async function findInputOfRun(
  { pool }: Database,
  of: { id: string; runId: string; workspaceId: string },
): Promise<ActionInput | undefined> {
  const { id, runId, workspaceId } = of;
  if (!isUuid(id)) return undefined;
  const { rows } = await pool.query<ActionInput>(
    `SELECT ${INPUT_COLUMNS} FROM ${INPUTS} WHERE inputs.asset_id = $1 AND inputs.run_id = $2 AND inputs.workspace_id = $3`,
    [id, runId, workspaceId],
  );
  return rows[0];
}

/** Locks rows in the order of their ids, so that two runs that request the same files cannot deadlock. */
const LOCK = `
SELECT ${INPUT_COLUMNS}, inputs.expires_at <= now() AS expired FROM ${INPUTS}
WHERE inputs.asset_id = ANY ($1::uuid[]) AND inputs.workspace_id = $2 ORDER BY inputs.asset_id FOR UPDATE OF inputs`;
/** The run may read the bytes for as long as they could have waited for it. */
const TAKE = `
UPDATE action_inputs SET run_id = $2, drop_at = drop_at + (now() - created_at) WHERE asset_id = ANY ($1::uuid[]) AND run_id IS NULL`;

/** Assigns files to a run, all or none, and returns them in the order of the ids; idempotent. @throws ASSET_INPUT_INVALID */
export function assignInputs({ pool }: Database, ids: readonly string[], claim: InputClaim): Promise<ActionInput[]> {
  return transaction(pool, async (client) => {
    const wanted = ids.filter(isUuid);
    const { rows } = await client.query<ActionInput & { expired: boolean }>(LOCK, [wanted, claim.workspaceId]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const taken = ids.map((id) => ({ ...requireClaimable(byId.get(id.toLowerCase()), claim), runId: claim.runId }));
    await client.query(TAKE, [wanted, claim.runId]);
    return taken;
  });
}

const DROP = `
WITH due AS (
  SELECT inputs.asset_id AS id, assets.blob_key AS was FROM ${INPUTS}
  WHERE inputs.drop_at <= now() ORDER BY inputs.drop_at LIMIT $1 FOR UPDATE OF inputs SKIP LOCKED
), dropped AS (
  UPDATE action_inputs SET drop_at = NULL FROM due WHERE action_inputs.asset_id = due.id
)
UPDATE assets SET status = 'failed', blob_key = NULL, error_condition = 'ASSET_INPUT_INVALID', error_message = 'the file is no longer kept',
  updated_at = now()
FROM due WHERE assets.id = due.id
RETURNING ${ASSET_COLUMNS}, due.was`;

/** Detaches the bytes of up to `limit` expired files; their rows stay. Returns their number, and the keys that the caller must delete. */
export async function expireInputs(store: Store, limit: number): Promise<{ dropped: number; orphans: OrphanedBlobKeys }> {
  const orphans: OrphanedBlobKeys = [];
  const moved = await changeAssetsUncounted(store, async (client) => {
    const { rows } = await client.query<StoredAsset & { was: string | null }>(DROP, [limit]);
    orphans.push(...rows.flatMap(({ was }) => was ?? []));
    return rows;
  });
  return { dropped: moved.length, orphans };
}
