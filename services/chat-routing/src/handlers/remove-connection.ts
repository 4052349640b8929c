import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type RemoveConnectionRequest, type RemoveConnectionResponse } from '@parley/protos/routing/v1/routing';
import { type Deps } from '../deps.ts';
import {
  findExistingConnection,
  findRemovedConnection,
  deleteConnectionRow,
  type ConnectionIdentity,
} from '../store/removed-connections.ts';
import { countBoundConversations, markAccessLost, rebindConversations } from './bound-conversations.ts';
import { type ConversationMove, requireMoveTarget } from './require-move-target.ts';

/**
 * RPC RemoveConnection: deletes a connection and its secret. With `move_to`, its conversations, projects and files move to that connection;
 * otherwise its conversations stay readable and are marked `access_lost`. Repeating it for a removed connection completes an interrupted
 * removal. Throws CONNECTION_NOT_FOUND, VALIDATION_ERROR when the conversations cannot move there, and SERVICE_UNAVAILABLE when the
 * conversation service is unavailable.
 *
 * It may be interrupted anywhere and repeated (ADR 0046): it validates first, moves conversations while the connection still exists,
 * deletes the connection in one transaction with the insert of its removal row, and last handles conversations that began on it in the
 * meantime.
 */
export async function removeConnection(deps: Deps, { id, moveTo }: RemoveConnectionRequest, call: Call): Promise<RemoveConnectionResponse> {
  const { workspaceId } = call.caller;
  const { connection, isPresent } = await requireKnown(deps, workspaceId, id);
  const move = moveTo ? await requireMoveTarget(deps, connection, moveTo) : undefined;
  const isTalkedTo = holdsConversations(deps, connection.provider);
  const conversations = isTalkedTo ? await countBoundConversations(deps, id, call) : 0;
  let moved = 0;
  if (isPresent) {
    if (move) moved += await moveAll(deps, id, move, call);
    await deleteConnectionRow(deps.store, workspaceId, id, move?.to.id);
    await deps.connections.reloadAndNotify(workspaceId);
  }
  if (move) moved += await moveAll(deps, id, move, call);
  else if (isTalkedTo) await markAccessLost(deps, id, call);
  deps.log.info({ requestId: call.caller.requestId, connectionId: id, conversations, moved, movedTo: move?.to.id }, 'connection removed');
  return { conversations: Math.max(conversations, moved), moved };
}

/** Finds an existing or removed connection; `isPresent` is false for a removed one. Throws CONNECTION_NOT_FOUND. */
async function requireKnown(
  { store }: Deps,
  workspaceId: string,
  id: string,
): Promise<{ connection: ConnectionIdentity; isPresent: boolean }> {
  const present = isUuid(id) ? await findExistingConnection(store.database, workspaceId, id) : undefined;
  if (present) return { connection: present, isPresent: true };
  const gone = isUuid(id) ? await findRemovedConnection(store.database, workspaceId, id) : undefined;
  if (!gone) throw new GatewayError('CONNECTION_NOT_FOUND', 'no such connection', { param: 'connection_id' });
  return { connection: gone, isPresent: false };
}

function moveAll(deps: Deps, fromId: string, { to, keepState }: ConversationMove, call: Call): Promise<number> {
  return rebindConversations(deps, fromId, to.id, keepState, call);
}

/** Whether connections of the provider may have conversations: chat providers, and providers unknown to this release. */
function holdsConversations({ providers }: Deps, provider: string): boolean {
  return !providers.has(provider) || providers.get(provider).traits.purpose === 'chat';
}
