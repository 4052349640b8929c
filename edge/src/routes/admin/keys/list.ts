import { z } from 'zod';
import { KEY_SORTS, KEY_STATUSES, listKeys as findKeys } from '../../../store/key-list.ts';
import { type apiKey, toApiKey } from '../../../wire/admin.ts';
import { type RouteDeps } from '../../deps.ts';
import { search, uuid } from '../../fields.ts';
import { cursorPageHeaders, cursorPaging, toPageRequest } from '../../paging.ts';
import { quotaUseQuery, withQuotaUse } from '../../quota-use.ts';
import { type Input, type Reply } from '../../route.ts';

/** Query parameters that filter and sort lists of keys. */
export const keyFilters = {
  search: search.optional().meta({ description: 'A part of the name, the beginning of the key as it is shown, or the id.' }),
  status: z.enum(KEY_STATUSES).optional(),
  sort: z.enum(KEY_SORTS).default('-created_at').meta({ description: 'With `-` the latest or last first.' }),
};

/** Query parameters of the list of keys; without a workspace, it contains the keys of all workspaces. */
export const keysQuery = z.object({
  workspace_id: uuid.optional(),
  user_id: uuid.optional(),
  ...keyFilters,
  ...quotaUseQuery,
  ...cursorPaging,
});

/** Returns a page of API keys without their secrets, newest first by default. */
export async function listKeys(
  { query }: Input<undefined, z.output<typeof keysQuery>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof apiKey>[]>> {
  const { workspace_id, user_id, search: text, status, sort } = query;
  const filter = { workspaceId: workspace_id, userId: user_id, search: text, status, sort };
  const page = await findKeys(deps.db, filter, toPageRequest(query));
  const filters = { workspace_id, user_id, search: text, status, sort: toSortParam(query), include: query.include };
  const body = await withQuotaUse(deps, query, { kind: 'key', rows: page.rows, toWire: toApiKey });
  return { body, headers: cursorPageHeaders('/admin/v1/keys', filters, query, page) };
}

/** Returns the sort order for links; undefined for the default order. */
export function toSortParam({ sort }: { sort: (typeof KEY_SORTS)[number] }): string | undefined {
  return sort === '-created_at' ? undefined : sort;
}
