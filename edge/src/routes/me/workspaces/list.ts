import { type z } from 'zod';
import { listOwnWorkspaces as findOwnWorkspaces } from '../../../store/own-workspaces.ts';
import { type ownWorkspace, toOwnWorkspace } from '../../../wire/own-workspace.ts';
import { type RouteDeps } from '../../deps.ts';
import { pageHeaders } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';
import { type pageQuery } from './fields.ts';

/** Returns a page of the caller's workspaces, with the role in each. */
export async function listOwnWorkspaces(
  { principal, query }: Input<undefined, z.output<typeof pageQuery>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof ownWorkspace>[]>> {
  const { rows, total } = await findOwnWorkspaces(db, principal.userId, query);
  return { body: rows.map(toOwnWorkspace), headers: pageHeaders('/me/v1/workspaces', {}, query, total) };
}
