import { type Call } from '@parley/kit/rpc/call';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { isSameUpstream } from '../domain/conversation-move.ts';
import { forgetRemoved, listRemovedByLabel, moveToRemoved, type RemovedConnection } from '../store/removed-connections.ts';
import { countBound, rebind } from './bound-conversations.ts';
import { type Deps } from '../deps.ts';

/** How many conversations of connections that were removed under a label were taken back, and how many are still bound to them. */
export type Returned = Pick<Connection, 'conversationsLeft' | 'conversationsTaken'>;

/**
 * Gives a connection that is new under its label the conversations of those that were removed under it, or counts them. What is given goes on from
 * what its upstream kept where that is the same account, and otherwise from the record. Throws SERVICE_UNAVAILABLE when they could not be given,
 * after the connection was removed again; what it got by then is taken back with the rest the next time.
 */
export async function returnConversations(deps: Deps, added: RemovedConnection, takeBack: boolean, call: Call): Promise<Returned> {
  const before = await listRemovedByLabel(deps.store.database, added.workspaceId, added.label);
  if (takeBack) return { conversationsLeft: 0, conversationsTaken: await take(deps, added, before, call) };
  const counts = await Promise.all(before.map(({ id }) => countBound(deps, id, call))).catch((err: unknown) => {
    deps.log.warn(
      { requestId: call.caller.requestId, err, connectionId: added.id },
      'the conversations of a removed connection were not counted',
    );
    return [];
  });
  return { conversationsLeft: counts.reduce((sum, count) => sum + count, 0), conversationsTaken: 0 };
}

async function take(deps: Deps, added: RemovedConnection, before: readonly RemovedConnection[], call: Call): Promise<number> {
  let taken = 0;
  try {
    for (const removed of before) taken += await rebind(deps, removed.id, added.id, isSameUpstream(removed, added), call);
  } catch (error) {
    await moveToRemoved(deps.store, added.workspaceId, added.id);
    await deps.connections.changed(added.workspaceId);
    throw error;
  }
  await forgetRemoved(
    deps.store.database,
    before.map(({ id }) => id),
  );
  deps.log.info({ requestId: call.caller.requestId, connectionId: added.id, conversations: taken }, 'conversations taken back');
  return taken;
}
