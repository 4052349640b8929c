import { z } from 'zod';
import { listKeys } from '../../../../store/key-list.ts';
import { type apiKey, toApiKey } from '../../../../wire/admin.ts';
import { keyFilters, toSortParam } from '../../../admin/keys/list.ts';
import { type RouteDeps } from '../../../deps.ts';
import { cursorPageHeaders, cursorPaging, toPageRequest } from '../../../paging.ts';
import { quotaUseQuery, withQuotaUse } from '../../../quota-use.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type workspaceParams } from '../fields.ts';

/** Query parameters of the list of own keys. */
export const ownKeysQuery = z.object({ ...keyFilters, ...quotaUseQuery, ...cursorPaging });

/** Returns a page of the caller's keys in a workspace, newest first by default; without the hidden key. */
export async function listOwnKeys(
  { principal, params, query }: Input<z.output<typeof workspaceParams>, z.output<typeof ownKeysQuery>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof apiKey>[]>> {
  const { workspace_id: workspaceId } = params;
  const { search, status, sort } = query;
  const page = await listKeys(deps.db, { workspaceId, userId: principal.userId, search, status, sort }, toPageRequest(query));
  const filters = { search, status, sort: toSortParam(query), include: query.include };
  const body = await withQuotaUse(deps, query, { kind: 'key', rows: page.rows, toWire: toApiKey });
  return { body, headers: cursorPageHeaders(`/me/v1/workspaces/${workspaceId}/keys`, filters, query, page) };
}
