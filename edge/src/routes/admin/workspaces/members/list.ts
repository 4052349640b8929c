import { z } from 'zod';
import { listMembers as findMembers } from '../../../../store/memberships.ts';
import { type member, toMember } from '../../../../wire/member.ts';
import { type RouteDeps } from '../../../deps.ts';
import { search } from '../../../fields.ts';
import { cursorPageHeaders, cursorPaging, toPageRequest } from '../../../paging.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type workspaceParams } from './fields.ts';

/** Query parameters of the list of members. */
export const membersQuery = z.object({
  search: search.optional().meta({ description: 'A part of the name or the email.' }),
  ...cursorPaging,
});

/** Returns a page of the members of a workspace, by name. */
export async function listMembers(
  { params, query }: Input<z.output<typeof workspaceParams>, z.output<typeof membersQuery>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof member>[]>> {
  const { workspace_id: workspaceId } = params;
  const { search: text } = query;
  const page = await findMembers(db, { workspaceId, search: text }, toPageRequest(query));
  const headers = cursorPageHeaders(`/admin/v1/workspaces/${workspaceId}/members`, { search: text }, query, page);
  return { body: page.rows.map(toMember), headers };
}
