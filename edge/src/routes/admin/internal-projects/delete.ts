import { type z } from 'zod';
import { deleteInternalProject as remove } from '../../../store/internal-projects.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type slugParams, type workspaceQuery } from '../fields.ts';

/** Deletes an internal project that no usable key is bound to. */
export async function deleteInternalProject(
  { principal, params, query }: Input<z.output<typeof slugParams>, z.output<typeof workspaceQuery>>,
  { db }: RouteDeps,
): Promise<Reply<undefined>> {
  const workspaceId = query.workspace_id;
  const audit = toAuditEntry(principal, { action: 'internal-project.delete', workspaceId, targetId: params.slug });
  await remove(db, { workspaceId, slug: params.slug }, audit);
  return { body: undefined };
}
