import { z } from 'zod';
import { listMembers as findMembers } from '../../../../store/memberships.ts';
import { type member, toMember } from '../../../../wire/member.ts';
import { type RouteDeps } from '../../../deps.ts';
import { pageHeaders, paging } from '../../../paging.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type workspaceParams } from './fields.ts';

/** Query of the list of members. */
export const membersQuery = z.object(paging);

/** Members of a workspace, by name. */
export async function listMembers(
  { params, query }: Input<z.output<typeof workspaceParams>, z.output<typeof membersQuery>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof member>[]>> {
  const { workspace_id: workspaceId } = params;
  const { rows, total } = await findMembers(db, { workspaceId, ...query });
  return { body: rows.map(toMember), headers: pageHeaders(`/admin/v1/workspaces/${workspaceId}/members`, {}, query, total) };
}
