import { type z } from 'zod';
import { listOwnKeys as findOwnKeys } from '../../../../store/own-keys.ts';
import { type apiKey, toApiKey } from '../../../../wire/admin.ts';
import { type RouteDeps } from '../../../deps.ts';
import { pageHeaders } from '../../../paging.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type pageQuery, type workspaceParams } from '../fields.ts';

/** The caller's own keys in a workspace, newest first. */
export async function listOwnKeys(
  { principal, params, query }: Input<z.output<typeof workspaceParams>, z.output<typeof pageQuery>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof apiKey>[]>> {
  const { workspace_id: workspaceId } = params;
  const { rows, total } = await findOwnKeys(db, { userId: principal.userId, workspaceId }, query);
  return { body: rows.map(toApiKey), headers: pageHeaders(`/me/v1/workspaces/${workspaceId}/keys`, {}, query, total) };
}
