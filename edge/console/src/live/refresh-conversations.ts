import { type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { type components, type paths } from '../api/generated/me.ts';
import { getWorkspaceClient } from '../api/me.ts';
import { Problem } from '../api/problem.ts';
import { unwrap } from '../api/unwrap.ts';
import { type LoadedPages, findPageReader, mergeChangedRows } from '../ui/loaded-pages.ts';
import { workspaceQueryKey, messagesKey } from './change-events.ts';
import { conversationQuery } from './conversations.ts';

type Conversation = components['schemas']['Conversation'];
type ConversationFilter = NonNullable<paths['/me/v1/conversations']['get']['parameters']['query']>;
/** Rows by id; null for what is gone or may not be seen any more. */
type Changed = Map<string, Conversation | null>;

/** More changes at once are not looked at one by one. */
const MAX_IDS = 10;

/**
 * Makes fresh what is shown of conversations that have changed. Of a list, which may have thousands of pages, the first page and the changed rows are
 * read; what is not in sight is cut to its first page and read when it is.
 */
export async function refreshConversations(queries: QueryClient, workspaceId: string, ids: ReadonlySet<string>): Promise<void> {
  const all = workspaceQueryKey(workspaceId, 'conversations');
  const isMany = ids.size > MAX_IDS;
  const one = isMany
    ? [queries.invalidateQueries({ queryKey: [...all, 'detail'] }), queries.invalidateQueries({ queryKey: [...all, 'messages'] })]
    : [...ids].flatMap((id) => [
        queries.invalidateQueries({ queryKey: conversationQuery(workspaceId, id).queryKey }),
        queries.invalidateQueries({ queryKey: messagesKey(workspaceId, id) }),
      ]);
  const read = rowReader(workspaceId);
  const lists = queries
    .getQueryCache()
    .findAll({ queryKey: all, predicate: ({ meta }) => findPageReader<Conversation>(meta) !== undefined });
  await Promise.all([...one, ...lists.map((list) => refreshList(queries, list, isMany ? undefined : ids, read))]);
}

/** Refreshes a list; without ids its first page alone is known to be fresh. Where that fails the list is read anew, and shows why. */
async function refreshList(
  queries: QueryClient,
  list: ListQuery,
  ids: ReadonlySet<string> | undefined,
  readRow: (id: string) => Promise<Conversation | null>,
): Promise<void> {
  const { queryKey, meta } = list;
  const readPage = findPageReader<Conversation>(meta);
  const before = queries.getQueryData<LoadedPages<Conversation>>(queryKey);
  if (!before || !readPage) return;
  if (!list.isActive() || !ids) {
    queries.setQueryData<LoadedPages<Conversation>>(queryKey, {
      pages: before.pages.slice(0, 1),
      pageParams: before.pageParams.slice(0, 1),
    });
    return queries.invalidateQueries({ queryKey, exact: true });
  }
  try {
    const first = await readPage(0, '');
    const shown = new Set(
      queries.getQueryData<LoadedPages<Conversation>>(queryKey)?.pages.flatMap(({ items }) => items.map(({ id }) => id)),
    );
    const read = first.items.map(({ id }) => id);
    const missing = [...ids].filter((id) => shown.has(id) && !read.includes(id));
    const rows = await Promise.all(missing.map(async (id) => [id, await readRow(id)] as const));
    const changed: Changed = new Map(rows.map(([id, row]) => [id, row && isListed(queryKey, row) ? row : null]));
    await queries.cancelQueries({ queryKey, exact: true });
    queries.setQueryData<LoadedPages<Conversation>>(queryKey, (data) => data && mergeChangedRows(data, first, changed));
  } catch {
    await queries.invalidateQueries({ queryKey, exact: true });
  }
}

type ListQuery = Pick<Query, 'queryKey' | 'meta'> & { isActive: () => boolean };

/** Whether a row still is one of a list, whose key ends with what it lists: a filter, or a project. */
function isListed(queryKey: QueryKey, { status, pinned, upstream_project_id, upstream_account_id }: Conversation): boolean {
  const listed = queryKey.at(-1);
  if (typeof listed === 'string') return upstream_project_id === listed;
  const filter = listed as ConversationFilter;
  return (
    (filter.status_filter ?? status) === status &&
    (filter.project_filter ?? upstream_project_id) === upstream_project_id &&
    (filter.account_filter ?? upstream_account_id) === upstream_account_id &&
    (pinned || !filter.pinned_only)
  );
}

/** Reads each row once, however many lists show it. */
function rowReader(workspaceId: string): (id: string) => Promise<Conversation | null> {
  const reading = new Map<string, Promise<Conversation | null>>();
  const read = (id: string) =>
    unwrap(
      getWorkspaceClient(workspaceId).GET('/me/v1/conversations/{conversation_id}', { params: { path: { conversation_id: id } } }),
    ).catch((error: unknown) => {
      if (error instanceof Problem && (error.status === 404 || error.status === 403)) return null;
      throw error;
    });
  return (id) => {
    const one = reading.get(id) ?? read(id);
    reading.set(id, one);
    return one;
  };
}
