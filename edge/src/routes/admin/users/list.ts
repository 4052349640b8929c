import { z } from 'zod';
import { INSTANCE_ROLES } from '../../../config/roles.ts';
import { listUsers as findUsers } from '../../../store/users.ts';
import { activeStatus, toUser, type user } from '../../../wire/admin.ts';
import { type RouteDeps } from '../../deps.ts';
import { search } from '../../fields.ts';
import { cursorPageHeaders, cursorPaging, toPageRequest } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';

/** Query parameters of the list of users. */
export const usersQuery = z.object({
  search: search.optional().meta({ description: 'A part of the name or the email, or the id.' }),
  status: activeStatus.optional(),
  instance_role: z.enum(INSTANCE_ROLES).optional().meta({ description: 'Only those with this role for the whole gateway.' }),
  ...cursorPaging,
});

/** Returns a page of users, oldest first. */
export async function listUsers(
  { query }: Input<undefined, z.output<typeof usersQuery>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof user>[]>> {
  const { search: text, status, instance_role } = query;
  const page = await findUsers(db, { search: text, status, instanceRole: instance_role }, toPageRequest(query));
  const headers = cursorPageHeaders('/admin/v1/users', { search: text, status, instance_role }, query, page);
  return { body: page.rows.map(toUser), headers };
}
