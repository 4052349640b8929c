import { z } from 'zod';
import { listWorkspaces as findWorkspaces } from '../../../store/workspaces.ts';
import { toWorkspace, type workspace } from '../../../wire/admin.ts';
import { type RouteDeps } from '../../deps.ts';
import { pageHeaders, paging } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';

/** Query of a list without filters. */
export const pageQuery = z.object(paging);

/** Every workspace, oldest first. */
export async function listWorkspaces(
  { query }: Input<undefined, z.output<typeof pageQuery>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof workspace>[]>> {
  const { rows, total } = await findWorkspaces(db, query);
  return { body: rows.map(toWorkspace), headers: pageHeaders('/admin/v1/workspaces', {}, query, total) };
}
