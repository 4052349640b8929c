import { useQueryClient } from '@tanstack/react-query';
import { getWorkspaceClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';
import { refreshConversations } from '../../../live/refresh-conversations.ts';

/** A role that a participant can get. */
export type ShareRole = 'viewer' | 'editor';

/** What can be done to a conversation; each makes what is shown fresh. All reject with a Problem. */
export interface ConversationCommands {
  rename: (title: string) => Promise<unknown>;
  pin: (pinned: boolean) => Promise<unknown>;
  archive: () => Promise<unknown>;
  restore: () => Promise<unknown>;
  sync: () => Promise<unknown>;
  share: (userId: string, role: ShareRole) => Promise<unknown>;
  unshare: (userId: string) => Promise<unknown>;
  transfer: (userId: string) => Promise<unknown>;
  remove: () => Promise<unknown>;
}

/** The commands of one conversation. */
export function useConversationCommands(workspaceId: string, conversationId: string): ConversationCommands {
  const queries = useQueryClient();
  const client = getWorkspaceClient(workspaceId);
  const path = { conversation_id: conversationId };
  const fresh = async <T>(command: Promise<T>): Promise<T> => {
    const answer = await command;
    await refreshConversations(queries, workspaceId, new Set([conversationId]));
    return answer;
  };
  const change = (query: { title?: string; pinned?: boolean }) =>
    fresh(unwrap(client.PATCH('/me/v1/conversations/{conversation_id}', { params: { path, query } })));
  return {
    rename: (title) => change({ title }),
    pin: (pinned) => change({ pinned }),
    archive: () => fresh(unwrap(client.POST('/me/v1/conversations/{conversation_id}/archive', { params: { path } }))),
    restore: () => fresh(unwrap(client.POST('/me/v1/conversations/{conversation_id}/restore', { params: { path } }))),
    sync: () => fresh(unwrap(client.POST('/me/v1/conversations/{conversation_id}/sync', { params: { path } }))),
    share: (userId, role) =>
      fresh(unwrap(client.POST('/me/v1/conversations/{conversation_id}/share', { params: { path }, body: { user_id: userId, role } }))),
    unshare: (userId) =>
      fresh(
        unwrap(
          client.DELETE('/me/v1/conversations/{conversation_id}/participants/{user_id}', {
            params: { path: { ...path, user_id: userId } },
          }),
        ),
      ),
    transfer: (userId) =>
      fresh(unwrap(client.POST('/me/v1/conversations/{conversation_id}/transfer', { params: { path }, body: { user_id: userId } }))),
    // What is gone is not read again: the list is, when it is shown.
    remove: async () => {
      await unwrap(client.DELETE('/me/v1/conversations/{conversation_id}', { params: { path } }));
      await queries.invalidateQueries({ queryKey: workspaceQueryKey(workspaceId, 'conversations'), refetchType: 'none' });
    },
  };
}
