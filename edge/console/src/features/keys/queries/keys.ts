import { type QueryClient, queryOptions, type QueryKey } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/me.ts';
import { meClient } from '../../../api/me.ts';
import { unwrap, unwrapPage } from '../../../api/unwrap.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';
import { type CursorPage } from '../../../ui/use-growing-list.ts';

/** A key without the key itself. */
export type ApiKey = components['schemas']['ApiKey'];
/** A key at its creation: the only response that contains the key itself. */
export type CreatedKey = components['schemas']['CreatedApiKey'];
/** Quotas to set; null for the default of the gateway. */
export type QuotaChange = components['schemas']['QuotaChange'];

/** The scope of a list of keys: all of the workspace, the person's own in it, or those of all workspaces. */
export type KeyListScope = 'workspace' | 'own' | 'all';

/** Which keys are looked for, and their order. */
interface KeyFilter {
  search?: string | undefined;
  status?: 'active' | 'expired' | 'revoked' | undefined;
  user?: string | undefined;
  /** A column; with `-` before it, the last or latest first. */
  sort?: string | undefined;
}

const ORDERS = { name: 'name', '-name': '-name', last_used: 'last_used_at', '-last_used': '-last_used_at' } as const;

/** Keys on a page: as many as the gateway gives at once. */
const PAGE = 200;

/** The query key of the first page, which is read again with the usage of the workspace. */
export function firstPageQueryKey(workspaceId: string, scope: KeyListScope, filter: KeyFilter): QueryKey {
  return [...workspaceQueryKey(workspaceId, 'usage'), 'keys', scope, filter];
}

/** The query key of the pages after the first one. */
export function nextPagesQueryKey(workspaceId: string, scope: KeyListScope, filter: KeyFilter): QueryKey {
  return ['keys', workspaceId, 'rest', scope, filter];
}

/** A page of keys, newest first unless they are sorted; the first one without a cursor. @throws Problem */
export async function readKeys(
  workspaceId: string,
  scope: KeyListScope,
  filter: KeyFilter,
  cursor = '',
): Promise<CursorPage<ApiKey, string>> {
  const { search, status, user, sort } = filter;
  const query = {
    ...{ limit: PAGE, cursor, include: 'quota_use' as const, sort: ORDERS[sort as keyof typeof ORDERS] ?? '-created_at' },
    ...(search && { search }),
    ...(status && { status }),
  };
  const ofWorkspace = { ...(scope === 'workspace' && { workspace_id: workspaceId }), ...(user && { user_id: user }) };
  const { items, total, next } = await unwrapPage(
    scope === 'own'
      ? meClient.GET('/me/v1/workspaces/{workspace_id}/keys', { params: { path: { workspace_id: workspaceId }, query } })
      : adminClient.GET('/admin/v1/keys', { params: { query: { ...query, ...ofWorkspace } } }),
  );
  return { items, total, next };
}

/** Replaces a changed key in the cached pages, and reads the first page again, with the use of its quotas. */
export function updateCachedKey(queries: QueryClient, workspaceId: string, key: ApiKey): void {
  const put = ({ items, ...page }: CursorPage<ApiKey, string>) => ({ ...page, items: items.map((one) => (one.id === key.id ? key : one)) });
  queries.setQueriesData<CursorPage<ApiKey, string>>(
    { queryKey: [...workspaceQueryKey(workspaceId, 'usage'), 'keys'] },
    (page) => page && put(page),
  );
  queries.setQueriesData<{ pages: CursorPage<ApiKey, string>[]; pageParams: unknown[] }>(
    { queryKey: ['keys', workspaceId, 'rest'] },
    (list) => list && { ...list, pages: list.pages.map(put) },
  );
  void queries.invalidateQueries({ queryKey: [...workspaceQueryKey(workspaceId, 'usage'), 'keys'] });
}

/** What a new key may do, and for whom. */
export interface NewKey {
  name: string;
  scopes: ApiKey['scopes'];
  expires_at: string | null;
  project: string | null;
  quotas: QuotaChange;
  /** Undefined for an own key of the person. */
  user_id: string | undefined;
}

/** Creates a key. @throws Problem */
export function createKey(workspaceId: string, { user_id, ...body }: NewKey): Promise<CreatedKey> {
  if (user_id !== undefined) return unwrap(adminClient.POST('/admin/v1/keys', { body: { ...body, user_id, workspace_id: workspaceId } }));
  return unwrap(meClient.POST('/me/v1/workspaces/{workspace_id}/keys', { params: { path: { workspace_id: workspaceId } }, body }));
}

/** What of a key can be changed. */
export interface KeyChange {
  name?: string;
  quotas?: QuotaChange;
}

/** Changes a key; an own one by the rights of its owner. @throws Problem */
export function updateKey({ id, workspace_id }: ApiKey, isOwn: boolean, body: KeyChange): Promise<ApiKey> {
  return unwrap(
    isOwn
      ? meClient.PATCH('/me/v1/workspaces/{workspace_id}/keys/{key_id}', { params: { path: { workspace_id, key_id: id } }, body })
      : adminClient.PATCH('/admin/v1/keys/{id}', { params: { path: { id } }, body }),
  );
}

/** Revokes a key for good. @throws Problem */
export function revokeKey({ id, workspace_id }: ApiKey, isOwn: boolean): Promise<ApiKey> {
  return unwrap(
    isOwn
      ? meClient.DELETE('/me/v1/workspaces/{workspace_id}/keys/{key_id}', { params: { path: { workspace_id, key_id: id } } })
      : adminClient.DELETE('/admin/v1/keys/{id}', { params: { path: { id } } }),
  );
}

/** The members of a workspace, for whom a key can be. */
export function membersQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['keys', 'members', workspaceId],
    queryFn: () =>
      unwrap(
        meClient.GET('/me/v1/workspaces/{workspace_id}/members', {
          params: { path: { workspace_id: workspaceId }, query: { limit: 200 } },
        }),
      ),
  });
}

/** The internal projects of a workspace, to which a key can be bound. */
export function internalProjectsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['keys', 'internal-projects', workspaceId],
    queryFn: () => unwrap(adminClient.GET('/admin/v1/internal-projects', { params: { query: { workspace_id: workspaceId, limit: 200 } } })),
  });
}
