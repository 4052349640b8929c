import { z } from 'zod';
import { listWorkspaces as findWorkspaces } from '../../../store/workspaces.ts';
import { activeStatus, toWorkspace, type workspace } from '../../../wire/admin.ts';
import { type RouteDeps } from '../../deps.ts';
import { search } from '../../fields.ts';
import { cursorPageHeaders, cursorPaging, paging, toPageRequest } from '../../paging.ts';
import { quotaUseQuery, withQuotaUse } from '../../quota-use.ts';
import { type Input, type Reply } from '../../route.ts';

/** Query parameters of a list without filters. */
export const pageQuery = z.object(paging);

/** Query parameters of the list of workspaces. */
export const workspacesQuery = z.object({
  search: search.optional().meta({ description: 'A part of the name, or the id.' }),
  status: activeStatus.optional(),
  ...quotaUseQuery,
  ...cursorPaging,
});

/** Returns a page of workspaces, oldest first. */
export async function listWorkspaces(
  { query }: Input<undefined, z.output<typeof workspacesQuery>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof workspace>[]>> {
  const { search: text, status, include } = query;
  const page = await findWorkspaces(deps.db, { search: text, status }, toPageRequest(query));
  const body = await withQuotaUse(deps, query, { kind: 'workspace', rows: page.rows, toWire: toWorkspace });
  return { body, headers: cursorPageHeaders('/admin/v1/workspaces', { search: text, status, include }, query, page) };
}
