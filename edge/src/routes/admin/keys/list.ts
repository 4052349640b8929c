import { z } from 'zod';
import { listKeys as findKeys } from '../../../store/keys.ts';
import { type apiKey, toApiKey } from '../../../wire/admin.ts';
import { type RouteDeps } from '../../deps.ts';
import { uuid } from '../../fields.ts';
import { pageHeaders, paging } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';

/** Query of the list of keys; without a workspace, those of all. */
export const keysQuery = z.object({ workspace_id: uuid.optional(), ...paging });

/** Keys without the keys themselves, newest first. */
export async function listKeys(
  { query }: Input<undefined, z.output<typeof keysQuery>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof apiKey>[]>> {
  const { workspace_id, limit, offset } = query;
  const { rows, total } = await findKeys(db, { workspaceId: workspace_id, limit, offset });
  return { body: rows.map(toApiKey), headers: pageHeaders('/admin/v1/keys', { workspace_id }, query, total) };
}
