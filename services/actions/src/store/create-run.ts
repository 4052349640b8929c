import { requireSameRequest } from '@parley/kit/ids/idempotency-key';
import { type WorkOrigin } from '@parley/kit/rpc/work-origin';
import { GatewayError } from '@parley/protos/errors';
import type { PoolClient } from 'pg';
import { createRunEvent } from '../domain/run-event.ts';
import { type StoredRun } from '../domain/run.ts';
import { changeRun } from './change-run.ts';
import { RUN_COLUMNS } from './run-row.ts';
import { type Store } from './store.ts';

/** The identity of a request for a run. */
export interface RunRequestIdentity {
  workspaceId: string;
  slug: string;
  /** Empty without one. */
  idempotencyKey: string;
  /** Digest of everything else in the request. */
  requestDigest: Uint8Array;
}

/** A run that passed all checks. */
export interface NewRun extends RunRequestIdentity, WorkOrigin {
  id: string;
  keyId: string;
  userId: string;
  version: number;
  connectionId: string;
  /** Text of a JSON object. */
  input: string;
}

const INSERT = `
INSERT INTO runs (id, workspace_id, key_id, user_id, slug, version, idempotency_key, request_digest, connection_id, input, status, next_attempt_at,
                  request_id, traceparent)
VALUES ($1, $2, $3, $4, $5, $6, nullif($7, ''), $8, $9, $10, 'accepted', now(), $11, $12)
ON CONFLICT (workspace_id, slug, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
RETURNING ${RUN_COLUMNS}`;

/**
 * Stores an accepted run, in one transaction with its first event. Of concurrent requests with one idempotency key, one is stored; the
 * others wait for it and return it.
 * @throws VALIDATION_ERROR when the key belongs to another request
 */
export async function createRun(store: Store, run: NewRun): Promise<StoredRun> {
  const answer = await changeRun(store, async (client) => {
    const { rows } = await client.query<StoredRun>(INSERT, [
      ...[run.id, run.workspaceId, run.keyId, run.userId, run.slug, run.version, run.idempotencyKey, Buffer.from(run.requestDigest)],
      ...[run.connectionId, run.input, run.requestId, run.traceparent],
    ]);
    const [created] = rows;
    if (created) return { run: created, events: [createRunEvent('run.accepted', { version: run.version })] };
    const known = await findRepeatedRun(client, run);
    return known && { run: known, events: [] };
  });
  if (!answer) throw new GatewayError('SERVICE_UNAVAILABLE', 'the run was removed at this moment');
  return answer;
}

/**
 * Finds the run of an earlier request with the same idempotency key; undefined without one.
 * @throws VALIDATION_ERROR when the key belongs to another request
 */
export async function findRepeatedRun(
  client: Pick<PoolClient, 'query'>,
  { workspaceId, slug, idempotencyKey, requestDigest }: RunRequestIdentity,
): Promise<StoredRun | undefined> {
  if (idempotencyKey === '') return undefined;
  const { rows } = await client.query<StoredRun & { digest: Buffer }>(
    `SELECT ${RUN_COLUMNS}, request_digest AS digest FROM runs WHERE workspace_id = $1 AND slug = $2 AND idempotency_key = $3`,
    [workspaceId, slug, idempotencyKey],
  );
  const [run] = rows;
  if (run) requireSameRequest(run.digest, requestDigest, 'idempotency_key');
  return run;
}
