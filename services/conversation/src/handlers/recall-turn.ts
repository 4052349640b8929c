import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type RecallTurnRequest, type RecallTurnResponse } from '@parley/protos/conversation/v1/conversation';
import { type Deps } from '../deps.ts';
import { requireCallerKey } from '../domain/turn-request.ts';
import { type StoredTurn, findRefusedFirstTurn, findTurn } from '../store/turn-records.ts';
import { toTurnRecord } from './turn-record-view.ts';

/**
 * How long after a turn an equal request counts as a retry. A declared retry follows within seconds; later, an equal request is more
 * likely a new one.
 */
const RECALL_MS = { ended: 60_000, refused: 600_000 };

/**
 * Finds the caller's earlier turn that a retry repeats; the response has no turn when there is none.
 *
 * @throws CONVERSATION_ACCESS_DENIED.
 */
export async function recallTurn(
  { store: { database } }: Deps,
  { which }: RecallTurnRequest,
  { caller }: Call,
): Promise<RecallTurnResponse> {
  const owner = requireCallerKey(caller);
  const isOwn = (found: StoredTurn | undefined) =>
    found?.workspaceId === owner.workspaceId && found.keyId === owner.keyId && !found.isDeleted;
  switch (which?.$case) {
    case 'turnId': {
      const found = isUuid(which.value) ? await findTurn(database.turnPool, which.value, RECALL_MS.ended) : undefined;
      return { turn: found && isOwn(found) ? toTurnRecord(found) : undefined };
    }
    case 'refusedDigest': {
      const found = await findRefusedFirstTurn(database.turnPool, owner, which.value, RECALL_MS.refused);
      return { turn: found && !found.isDeleted ? toTurnRecord(found) : undefined };
    }
    case undefined:
      return {};
  }
}
