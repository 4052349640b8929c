import { transaction } from '@parley/kit/db/pool';
import { type Call } from '@parley/kit/rpc/call';
import { type ContinuityStatus, listReplacedStatuses } from '../domain/continuity.ts';
import { type ChangedConversation, toConversationEvent } from '../domain/conversation-event.ts';
import { type OutboxEvent } from '../domain/outbox-event.ts';
import { insertEvents } from './outbox.ts';
import { type Store } from './store.ts';

/** Rows that one transaction locks; turns of these conversations that end in the meantime wait some milliseconds. */
const CHUNK = 1_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The caller, and the reason if the call was cancelled. */
type CallContext = Pick<Call, 'caller' | 'abortReason'>;

interface ChangedRow extends ChangedConversation {
  /** The previous continuity status. */
  before: string;
  at: Date;
}

/**
 * SQL that changes the next conversations of workspace $1 after the id $2, in the order of their ids, in which turns lock too.
 */
const changeNext = (sets: string, where: string) => `
UPDATE conversations c SET ${sets}, updated_at = now()
FROM (SELECT id, continuity_status FROM conversations WHERE workspace_id = $1 AND id > $2 AND deleted_at IS NULL AND ${where}
  ORDER BY id LIMIT ${CHUNK} FOR NO KEY UPDATE) given
WHERE c.id = given.id
RETURNING c.id, c.workspace_id AS "workspaceId", c.owner_user_id AS "ownerUserId", c.status, c.continuity_status AS "continuityStatus",
  given.continuity_status AS before, now() AS at`;

/**
 * Changes all matching conversations with their events, one chunk per transaction; returns their number. @throws the reason of a cancelled
 * call.
 */
async function changeAll(
  { database, wakeOutboxRelay }: Store,
  statement: string,
  [workspaceId, ...values]: unknown[],
  call: CallContext,
  toEvents: (row: ChangedRow) => OutboxEvent[],
): Promise<number> {
  let changed = 0;
  for (let after: string | undefined = FIRST_ID; after !== undefined;) {
    if (call.abortReason) throw call.abortReason;
    const rows: ChangedRow[] = await transaction(database.generalPool, async (client) => {
      const result = await client.query<ChangedRow>(statement, [workspaceId, after, ...values]);
      await insertEvents(client, result.rows.flatMap(toEvents));
      return result.rows;
    });
    if (rows.length > 0) wakeOutboxRelay();
    changed += rows.length;
    after = rows
      .map(({ id }) => id)
      .sort()
      .at(-1);
  }
  return changed;
}

/** The conversations to rebind, and their new connection. */
export interface RebindRequest {
  workspaceId: string;
  from: string;
  to: string;
  /** The new connection continues from the upstream state of the old one. */
  keepState: boolean;
}

const rebindNext = (keepState: boolean) =>
  changeNext(
    `upstream_account_id = $4, continuity_status = 'available'${keepState ? '' : ", upstream_state = ''"}`,
    'upstream_account_id = $3',
  );

/**
 * Binds the conversations of one connection to another one; returns their number. The upstream state of a turn that still runs on the old
 * connection is dropped when it ends.
 */
export function rebindConversations(store: Store, { workspaceId, from, to, keepState }: RebindRequest, call: CallContext): Promise<number> {
  const { keyId } = call.caller;
  return changeAll(store, rebindNext(keepState), [workspaceId, from, to], call, (row) => [
    toConversationEvent('updated', row, row.at, { keyId }),
    ...(row.before === row.continuityStatus ? [] : [toConversationEvent('continuityChanged', row, row.at, { keyId })]),
  ]);
}

/** Selects conversations of a workspace by connection or upstream project. */
export interface BindingFilter {
  workspaceId: string;
  binding: 'upstreamAccountId' | 'upstreamProjectId';
  id: string;
}

const COLUMNS: Record<BindingFilter['binding'], string> = {
  upstreamAccountId: 'upstream_account_id',
  upstreamProjectId: 'upstream_project_id',
};

/** Merges a reported continuity status into the selected conversations; returns how many changed. */
export function applyContinuityStatus(
  store: Store,
  { workspaceId, binding, id }: BindingFilter,
  reported: ContinuityStatus,
  call: CallContext,
): Promise<number> {
  const { keyId } = call.caller;
  const statement = changeNext('continuity_status = $4', `${COLUMNS[binding]} = $3 AND continuity_status = ANY ($5::text[])`);
  return changeAll(store, statement, [workspaceId, id, reported, listReplacedStatuses(reported)], call, (row) => [
    toConversationEvent('continuityChanged', row, row.at, { keyId }),
  ]);
}
