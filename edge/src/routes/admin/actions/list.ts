import { type z } from 'zod';
import { type actionDetail, toActionDetail } from '../../../wire/action.ts';
import { type pageQuery } from '../../actions/fields.ts';
import { type RouteDeps } from '../../deps.ts';
import { pageHeaders } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';

/** Returns a page of all actions, disabled ones included, by slug. */
export async function listAdminActions(
  { principal, query }: Input<undefined, z.output<typeof pageQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof actionDetail>[]>> {
  const { actions, total } = await clients.actions.listAllActions(query, { caller: principal });
  return { body: actions.map(toActionDetail), headers: pageHeaders('/admin/v1/actions', {}, query, total) };
}
