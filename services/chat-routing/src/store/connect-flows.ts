import { GatewayError } from '@parley/protos/errors';
import { type Prisma } from '../generated/prisma/client.ts';
import { type Database } from './database.ts';

/**
 * A stored connect flow. `step`: number of the current step; `wrong` and `answers`: numbers of wrong answers and of all answers; `state`:
 * encrypted, null once the flow has ended.
 */
export interface FlowRow {
  id: string;
  workspaceId: string;
  provider: string;
  connectionId: string;
  reconnects: boolean;
  label: string;
  status: 'open' | 'done' | 'failed';
  state: Uint8Array | null;
  step: number;
  wrong: number;
  answers: number;
  /** Claim id of the answer that was being processed when the row was read; null without one. */
  claim: string | null;
  reason: string;
  expiresAt: Date;
}

/** Lookup key of a flow: id, workspace and the digest of the login session that owns it. */
export interface FlowKey {
  id: string;
  workspaceId: string;
  sessionHash: Uint8Array;
}

/** A flow to insert. */
export type NewFlow = FlowKey & Pick<FlowRow, 'provider' | 'connectionId' | 'reconnects' | 'label'> & { state: Uint8Array };

const COLUMNS = `id, workspace_id AS "workspaceId", provider, connection_id AS "connectionId", reconnects, label, status, state, step, wrong, answers,
  claim, reason, expires_at AS "expiresAt"`;

const MINE = 'id = $1 AND workspace_id = $2 AND session_hash = $3 AND expires_at > now()';

const INSERT = `
  INSERT INTO connect_flows (id, workspace_id, session_hash, provider, connection_id, reconnects, label, state, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 millisecond') RETURNING ${COLUMNS}`;

/** The sweep deletes expired rows. */
const EXPIRE_OLD = `
  UPDATE connect_flows SET expires_at = now() WHERE id IN (
    SELECT id FROM connect_flows WHERE workspace_id = $1 AND session_hash = $2 AND status = 'open' AND expires_at > now()
     ORDER BY created_at DESC, id DESC OFFSET $3)`;

const CLAIM = `
  UPDATE connect_flows SET claim = $2, claimed_until = now() + $3 * interval '1 millisecond', answers = answers + 1
   WHERE id = $1 AND status = 'open' AND answers = $4 AND claim IS NOT DISTINCT FROM $5 AND expires_at > now() AND (claimed_until IS NULL OR claimed_until <= now())`;

const UNCLAIM = 'claim = NULL, claimed_until = NULL';

/** Completed flows are kept an hour longer, so that a late cleanup finds them and does not close their sign-in at the upstream. */
const TAKE_EXPIRED = `
  DELETE FROM connect_flows WHERE id IN (
    SELECT id FROM connect_flows
     WHERE expires_at <= now() - CASE WHEN status = 'done' THEN interval '1 hour' ELSE interval '0' END
       AND (claimed_until IS NULL OR claimed_until <= now())
     ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING ${COLUMNS}`;

/** Inserts a flow that expires after `lifeMs`. When its session has more than `most` open flows, the oldest of them expire at once. */
export async function insertFlow({ pool }: Database, flow: NewFlow, lifeMs: number, most: number): Promise<FlowRow> {
  const { id, workspaceId, sessionHash, provider, connectionId, reconnects, label, state } = flow;
  const values = [id, workspaceId, sessionHash, provider, connectionId, reconnects, label, state, lifeMs];
  const { rows } = await pool.query<FlowRow>(INSERT, values);
  await pool.query(EXPIRE_OLD, [workspaceId, sessionHash, most]);
  const [row] = rows;
  if (!row) throw new GatewayError('INTERNAL_ERROR', 'the flow was not stored');
  return row;
}

/** Finds a flow that has not expired, in any status. */
export async function findFlow({ pool }: Database, { id, workspaceId, sessionHash }: FlowKey): Promise<FlowRow | undefined> {
  return (await pool.query<FlowRow>(`SELECT ${COLUMNS} FROM connect_flows WHERE ${MINE}`, [id, workspaceId, sessionHash])).rows[0];
}

/** Claims an open flow for processing one answer. False when another answer was processed since `row` was read, or is being processed. */
export async function claimFlow({ pool }: Database, row: FlowRow, claim: string, forMs: number): Promise<boolean> {
  return (await pool.query(CLAIM, [row.id, claim, forMs, row.answers, row.claim])).rowCount === 1;
}

/** Releases a claim without changing the flow. */
export async function releaseFlow({ pool }: Database, id: string, claim: string): Promise<void> {
  await pool.query(`UPDATE connect_flows SET ${UNCLAIM} WHERE id = $1 AND claim = $2`, [id, claim]);
}

/** Stores the next state of an open flow and releases the claim. False when the flow no longer exists or the claim was lost. */
export async function updateFlowState(
  { pool }: Database,
  id: string,
  claim: string,
  { state, step, wrong }: { state: Uint8Array; step: number; wrong: number },
): Promise<boolean> {
  const sql = `UPDATE connect_flows SET state = $3, step = $4, wrong = $5, ${UNCLAIM} WHERE id = $1 AND claim = $2 AND status = 'open'`;
  return (await pool.query(sql, [id, claim, state, step, wrong])).rowCount === 1;
}

/** Marks a flow as failed and deletes its state. False when the flow no longer exists or the claim was lost. */
export async function failFlow({ pool }: Database, id: string, claim: string, wrong: number, reason: string): Promise<boolean> {
  const sql = `UPDATE connect_flows SET status = 'failed', state = NULL, wrong = $3, reason = $4, ${UNCLAIM}
                WHERE id = $1 AND claim = $2 AND status = 'open'`;
  return (await pool.query(sql, [id, claim, wrong, reason])).rowCount === 1;
}

/**
 * Marks a flow as done in the transaction that stores its connection. Throws CONNECT_FLOW_NOT_FOUND, which rolls it back, when it has
 * ended.
 */
export async function finishFlow(tx: Prisma.TransactionClient, id: string, claim: string, step: number): Promise<void> {
  const data = { status: 'done', state: null, step, claim: null, claimedUntil: null };
  const { count } = await tx.connectFlow.updateMany({ where: { id, claim, status: 'open' }, data });
  if (count === 0) throw new GatewayError('CONNECT_FLOW_NOT_FOUND', 'the flow has ended');
}

/** Deletes an open flow and returns it; undefined when there is none. */
export async function deleteOpenFlow({ pool }: Database, { id, workspaceId, sessionHash }: FlowKey): Promise<FlowRow | undefined> {
  const sql = `DELETE FROM connect_flows WHERE ${MINE} AND status = 'open' RETURNING ${COLUMNS}`;
  return (await pool.query<FlowRow>(sql, [id, workspaceId, sessionHash])).rows[0];
}

/** Deletes up to `limit` expired flows without a running claim and returns them. */
export async function deleteExpiredFlows({ pool }: Database, limit: number): Promise<FlowRow[]> {
  return (await pool.query<FlowRow>(TAKE_EXPIRED, [limit])).rows;
}

/** Whether a flow completed with a stored connection. */
export async function isFlowDone({ pool }: Database, id: string): Promise<boolean> {
  return (await pool.query(`SELECT FROM connect_flows WHERE id = $1 AND status = 'done'`, [id])).rowCount === 1;
}
