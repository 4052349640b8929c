import { type z } from 'zod';
import { listMembers as findMembers } from '../../../../store/memberships.ts';
import { type member, toMember } from '../../../../wire/member.ts';
import { type membersQuery } from '../../../admin/workspaces/members/list.ts';
import { type RouteDeps } from '../../../deps.ts';
import { cursorPageHeaders, toPageRequest } from '../../../paging.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type workspaceParams } from '../fields.ts';

/** Returns a page of the members of a workspace, for its members. */
export async function listWorkspaceMembers(
  { params, query }: Input<z.output<typeof workspaceParams>, z.output<typeof membersQuery>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof member>[]>> {
  const { workspace_id: workspaceId } = params;
  const { search } = query;
  const page = await findMembers(db, { workspaceId, search }, toPageRequest(query));
  const headers = cursorPageHeaders(`/me/v1/workspaces/${workspaceId}/members`, { search }, query, page);
  return { body: page.rows.map(toMember), headers };
}
