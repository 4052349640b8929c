import { type z } from 'zod';
import { writeAudit } from '../../../store/audit-log.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type slugParams, type workspaceQuery } from '../fields.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { inWorkspaceOf } from '../on-behalf.ts';

/** Deletes a route profile. */
export async function deleteRouteProfile(
  { principal, params, query }: Input<z.output<typeof slugParams>, z.output<typeof workspaceQuery>>,
  { clients, db }: RouteDeps,
): Promise<Reply<undefined>> {
  await clients.chatRouting.deleteRouteProfile({ slug: params.slug }, { caller: inWorkspaceOf(principal, query.workspace_id) });
  await writeAudit(db, toAuditEntry(principal, { action: 'route-profile.delete', workspaceId: query.workspace_id, targetId: params.slug }));
  return { body: undefined };
}
