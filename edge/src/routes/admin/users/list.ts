import { type z } from 'zod';
import { listUsers as findUsers } from '../../../store/users.ts';
import { toUser, type user } from '../../../wire/admin.ts';
import { type RouteDeps } from '../../deps.ts';
import { pageHeaders } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';
import { type pageQuery } from '../workspaces/list.ts';

/** Every user, oldest first. */
export async function listUsers(
  { query }: Input<undefined, z.output<typeof pageQuery>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof user>[]>> {
  const { rows, total } = await findUsers(db, query);
  return { body: rows.map(toUser), headers: pageHeaders('/admin/v1/users', {}, query, total) };
}
