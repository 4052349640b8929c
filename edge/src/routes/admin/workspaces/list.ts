import { z } from 'zod';
import { listWorkspaces as findWorkspaces } from '../../../store/workspaces.ts';
import { activity, toWorkspace, type workspace } from '../../../wire/admin.ts';
import { type RouteDeps } from '../../deps.ts';
import { search } from '../../fields.ts';
import { growingPageHeaders, growingPaging, paging, toPageOf } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';

/** Query of a list without filters. */
export const pageQuery = z.object(paging);

/** Query of the list of workspaces. */
export const workspacesQuery = z.object({
  search: search.optional().meta({ description: 'A part of the name, or the id.' }),
  status: activity.optional(),
  ...growingPaging,
});

/** Every workspace, oldest first. */
export async function listWorkspaces(
  { query }: Input<undefined, z.output<typeof workspacesQuery>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof workspace>[]>> {
  const { search: text, status } = query;
  const page = await findWorkspaces(db, { search: text, status }, toPageOf(query));
  return { body: page.rows.map(toWorkspace), headers: growingPageHeaders('/admin/v1/workspaces', { search: text, status }, query, page) };
}
