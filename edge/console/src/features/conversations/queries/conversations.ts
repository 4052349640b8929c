import { type components } from '../../../api/generated/me.ts';
import { getWorkspaceClient } from '../../../api/me.ts';
import { type Page, unwrapPage } from '../../../api/unwrap.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';
import { usePageList } from '../../../ui/use-page-list.ts';

/** A conversation as lists have it. */
export type Conversation = components['schemas']['Conversation'];
/** A file of a conversation. */
type Asset = components['schemas']['Asset'];

/** The filter of a list of conversations. */
export interface ConversationListFilter {
  q?: string | undefined;
  status?: 'active' | 'archived' | undefined;
  project?: string | undefined;
  account?: string | undefined;
  pinned?: boolean | undefined;
}

const PAGE = 100;

/** The conversations of the person, the newest activity first. */
export function useConversations(workspaceId: string, { q, status, project, account, pinned }: ConversationListFilter) {
  const filter = {
    ...(q && { search: q }),
    ...(status && { status_filter: status }),
    ...(project && { project_filter: project }),
    ...(account && { account_filter: account }),
    ...(pinned && { pinned_only: true }),
  };
  const read = (offset: number): Promise<Page<Conversation>> =>
    unwrapPage(getWorkspaceClient(workspaceId).GET('/me/v1/conversations', { params: { query: { ...filter, limit: PAGE, offset } } }));
  return usePageList([...workspaceQueryKey(workspaceId, 'conversations'), 'list', filter], read);
}

/** The files of a conversation, the oldest first. */
export function useFiles(workspaceId: string, conversationId: string) {
  const read = (offset: number): Promise<Page<Asset>> =>
    unwrapPage(
      getWorkspaceClient(workspaceId).GET('/me/v1/conversations/{conversation_id}/assets', {
        params: { path: { conversation_id: conversationId }, query: { limit: PAGE, offset } },
      }),
    );
  return usePageList([...workspaceQueryKey(workspaceId, 'assets'), 'of-conversation', conversationId], read);
}

/** The people of the workspace. */
export function useMembers(workspaceId: string) {
  const read = (offset: number): Promise<Page<components['schemas']['Member']>> =>
    unwrapPage(
      getWorkspaceClient(workspaceId).GET('/me/v1/workspaces/{workspace_id}/members', {
        params: { path: { workspace_id: workspaceId }, query: { limit: 200, offset } },
      }),
    );
  return usePageList(['members', workspaceId], read);
}
