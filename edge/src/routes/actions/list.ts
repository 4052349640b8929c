import { type z } from 'zod';
import { type action, toAction } from '../../wire/action.ts';
import { getLinkWriter } from '../../wire/link-writer.ts';
import { type RouteDeps } from '../deps.ts';
import { pageHeaders } from '../paging.ts';
import { type Input, type Reply } from '../route.ts';
import { type pageQuery } from './fields.ts';

/** Returns a page of the published actions, by slug. */
export async function listActions(
  { principal, query }: Input<undefined, z.output<typeof pageQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof action>[]>> {
  const { actions, total } = await clients.actions.listActions(query, { caller: principal });
  return { body: actions.map(toAction), headers: pageHeaders('/v1/actions', {}, query, total, getLinkWriter(principal)) };
}
