import { type Call } from '@parley/kit/rpc/call';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { type Deps } from '../deps.ts';
import { isSameUpstream } from '../domain/conversation-move.ts';
import {
  deleteRemovedConnections,
  listRemovedByLabel,
  deleteConnectionRow,
  type ConnectionIdentity,
} from '../store/removed-connections.ts';
import { countBoundConversations, rebindConversations } from './bound-conversations.ts';

/**
 * Numbers of conversations of removed connections with the same label: taken back by the new connection, and still bound to removed ones.
 */
export type TakenBackCounts = Pick<Connection, 'conversationsLeft' | 'conversationsTaken'>;

/**
 * Binds the conversations of removed connections with the same label to a new connection, or counts them when `takeBack` is false.
 * Conversations of the same account keep their state at the upstream; others are replayed from their history. Throws SERVICE_UNAVAILABLE
 * when the rebinding fails, after removing the new connection again; the next connection with this label takes back all of them.
 */
export async function takeBackConversations(
  deps: Deps,
  added: ConnectionIdentity,
  takeBack: boolean,
  call: Call,
): Promise<TakenBackCounts> {
  const before = await listRemovedByLabel(deps.store.database, added.workspaceId, added.label);
  if (takeBack) return { conversationsLeft: 0, conversationsTaken: await take(deps, added, before, call) };
  const counts = await Promise.all(before.map(({ id }) => countBoundConversations(deps, id, call))).catch((err: unknown) => {
    deps.log.warn(
      { requestId: call.caller.requestId, err, connectionId: added.id },
      'the conversations of a removed connection were not counted',
    );
    return [];
  });
  return { conversationsLeft: counts.reduce((sum, count) => sum + count, 0), conversationsTaken: 0 };
}

async function take(deps: Deps, added: ConnectionIdentity, before: readonly ConnectionIdentity[], call: Call): Promise<number> {
  let taken = 0;
  try {
    for (const removed of before) taken += await rebindConversations(deps, removed.id, added.id, isSameUpstream(removed, added), call);
  } catch (error) {
    await deleteConnectionRow(deps.store, added.workspaceId, added.id);
    await deps.connections.reloadAndNotify(added.workspaceId);
    throw error;
  }
  await deleteRemovedConnections(
    deps.store.database,
    before.map(({ id }) => id),
  );
  deps.log.info({ requestId: call.caller.requestId, connectionId: added.id, conversations: taken }, 'conversations taken back');
  return taken;
}
