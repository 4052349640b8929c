import { queryOptions, type UseQueryOptions } from '@tanstack/react-query';
import { type components } from '../api/generated/me.ts';
import { getWorkspaceClient } from '../api/me.ts';
import { unwrap } from '../api/unwrap.ts';
import { workspaceQueryKey, messagesKey } from './change-events.ts';
import { toRefetchIntervalMs } from './refetch-interval.ts';

/** A message of a conversation, with its assets. */
export type Message = components['schemas']['Message'];
/** A conversation with who takes part in it. */
export type ConversationDetail = components['schemas']['ConversationDetail'];

/** A conversation and its participants. */
export function conversationQuery(workspaceId: string, conversationId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'conversations'), 'detail', conversationId],
    queryFn: () =>
      unwrap(
        getWorkspaceClient(workspaceId).GET('/me/v1/conversations/{conversation_id}', {
          params: { path: { conversation_id: conversationId } },
        }),
      ),
  });
}

/** All messages of a conversation, oldest first; while one of them is being written they are read again, on pages in sight. */
export function messagesQuery(workspaceId: string, conversationId: string): UseQueryOptions<Message[]> & { queryKey: readonly unknown[] } {
  return {
    queryKey: messagesKey(workspaceId, conversationId),
    queryFn: () =>
      unwrap(
        getWorkspaceClient(workspaceId).GET('/me/v1/conversations/{conversation_id}/messages', {
          params: { path: { conversation_id: conversationId } },
        }),
      ),
    refetchInterval: ({ state }) => toRefetchIntervalMs(state.data?.at(-1)),
    refetchIntervalInBackground: false,
  };
}

/** The first 200 accounts of a workspace. */
export function connectionsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'choice'],
    queryFn: () => unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/connections', { params: { query: { limit: 200 } } })),
  });
}

/** The first 200 projects of a workspace. */
export function projectsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'projects'), 'choice'],
    queryFn: () => unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/projects', { params: { query: { limit: 200 } } })),
  });
}

/** Fetches a file again that could not be fetched. @throws Problem */
export function retryAsset(workspaceId: string, assetId: string): Promise<unknown> {
  return unwrap(getWorkspaceClient(workspaceId).POST('/me/v1/assets/{asset_id}/retry', { params: { path: { asset_id: assetId } } }));
}
