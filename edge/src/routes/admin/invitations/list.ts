import { z } from 'zod';
import { listInvitations as findInvitations } from '../../../store/invitations.ts';
import { type invitation, toInvitation } from '../../../wire/people.ts';
import { type RouteDeps } from '../../deps.ts';
import { uuid } from '../../fields.ts';
import { cursorPageHeaders, cursorPaging, toPageRequest } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';

/** Query parameters of the list; without a workspace, it contains the invitations of all workspaces and to roles for the gateway. */
export const invitationsQuery = z.object({ workspace_id: uuid.optional(), ...cursorPaging });

/** Returns a page of invitations without their links, newest first. */
export async function listInvitations(
  { query }: Input<undefined, z.output<typeof invitationsQuery>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof invitation>[]>> {
  const { workspace_id } = query;
  const page = await findInvitations(db, { workspaceId: workspace_id }, toPageRequest(query));
  return { body: page.rows.map(toInvitation), headers: cursorPageHeaders('/admin/v1/invitations', { workspace_id }, query, page) };
}
