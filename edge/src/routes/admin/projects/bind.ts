import { z } from 'zod';
import { writeAudit } from '../../../store/audit-log.ts';
import { type adminProject, toAdminProject } from '../../../wire/project.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams, notEmpty, type workspaceQuery } from '../fields.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { inWorkspaceOf } from '../on-behalf.ts';

/** What a workspace may do with a project. */
export const projectBinding = z
  .object({
    bound: z.boolean().optional().meta({ description: 'Whether the workspace may select it.' }),
    is_default: z.boolean().optional().meta({ description: 'Whether it is the default of turns that may not use the general space.' }),
  })
  .refine(notEmpty, 'at least one field is required')
  .meta({ id: 'ProjectBinding' });

type BindInput = Input<z.output<typeof idParams>, z.output<typeof workspaceQuery>, z.output<typeof projectBinding>>;

/** Binds a project to a workspace or takes it away, and makes it the default one or not. */
export async function bindProject(
  { principal, params, query, body }: BindInput,
  { clients, db }: RouteDeps,
): Promise<Reply<z.input<typeof adminProject>>> {
  const workspaceId = query.workspace_id;
  const project = await clients.chatRouting.bindProject(
    { projectId: params.id, bound: body.bound, isDefault: body.is_default },
    { caller: inWorkspaceOf(principal, workspaceId) },
  );
  const details = {
    ...(body.bound !== undefined && { bound: body.bound }),
    ...(body.is_default !== undefined && { is_default: body.is_default }),
  };
  await writeAudit(db, toAuditEntry(principal, { action: 'project.bind', workspaceId, targetId: params.id, details }));
  return { body: toAdminProject(project) };
}
