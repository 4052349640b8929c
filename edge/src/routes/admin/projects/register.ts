import { z } from 'zod';
import { requireWorkspaceExists } from '../../../store/workspaces.ts';
import { type adminProject, toAdminProject } from '../../../wire/project.ts';
import { type RouteDeps } from '../../deps.ts';
import { name, UPSTREAM_TIMEOUT_MS, uuid } from '../../fields.ts';
import { recordChange } from '../../record-change.ts';
import { type Input, type Reply } from '../../route.ts';
import { withWorkspace } from '../callers.ts';
import { workspaceId } from '../fields.ts';

/** The body to register a project that exists at an upstream. */
export const registerProjectBody = z
  .object({
    upstream_account_id: uuid,
    upstream_reference: name.meta({ description: 'As the upstream names it, e.g. `sp_…`.' }),
    workspace_id: workspaceId,
  })
  .meta({ id: 'RegisteredProject' });

/** Registers a project that exists at an upstream; it must be bound before it can be selected. */
export async function registerProject(
  { principal, body }: Input<undefined, undefined, z.output<typeof registerProjectBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof adminProject>>> {
  const { workspace_id, upstream_account_id: upstreamAccountId, upstream_reference: upstreamReference } = body;
  await requireWorkspaceExists(deps.db, workspace_id);
  const project = await recordChange(principal, deps, {
    ...{ action: 'project.register', workspaceId: workspace_id },
    details: { upstream_account_id: upstreamAccountId, upstream_reference: upstreamReference },
    make: () =>
      deps.clients.chatRouting.registerProject(
        { upstreamAccountId, upstreamReference },
        { caller: withWorkspace(principal, workspace_id), deadlineMs: UPSTREAM_TIMEOUT_MS },
      ),
    toAuditFields: ({ id }) => ({ targetId: id }),
  });
  return { body: toAdminProject(project) };
}
