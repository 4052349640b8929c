import { z } from 'zod';
import { type adminProject, toAdminProject } from '../../../wire/project.ts';
import { type RouteDeps } from '../../deps.ts';
import { recordChange } from '../../record-change.ts';
import { type Input, type Reply } from '../../route.ts';
import { withWorkspace } from '../callers.ts';
import { type idParams, hasDefinedField, type workspaceQuery } from '../fields.ts';

/** The body of a binding: whether the workspace may select a project, and whether it is the default. */
export const bindProjectBody = z
  .object({
    bound: z.boolean().optional().meta({ description: 'Whether the workspace may select it.' }),
    is_default: z.boolean().optional().meta({ description: 'Whether it is the default of turns that may not use the general space.' }),
  })
  .refine(hasDefinedField, 'at least one field is required')
  .meta({ id: 'ProjectBinding' });

type BindInput = Input<z.output<typeof idParams>, z.output<typeof workspaceQuery>, z.output<typeof bindProjectBody>>;

/** Binds a project to a workspace or unbinds it, and sets or clears it as the default. */
export async function bindProject(
  { principal, params, query, body }: BindInput,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof adminProject>>> {
  const workspaceId = query.workspace_id;
  const details = {
    ...(body.bound !== undefined && { bound: body.bound }),
    ...(body.is_default !== undefined && { is_default: body.is_default }),
  };
  const project = await recordChange(principal, deps, {
    ...{ action: 'project.bind', workspaceId, targetId: params.id, details },
    make: () =>
      deps.clients.chatRouting.bindProject(
        { projectId: params.id, bound: body.bound, isDefault: body.is_default },
        { caller: withWorkspace(principal, workspaceId) },
      ),
  });
  return { body: toAdminProject(project) };
}
