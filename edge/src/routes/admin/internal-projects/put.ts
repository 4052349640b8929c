import { z } from 'zod';
import { putInternalProject as store } from '../../../store/internal-projects.ts';
import { requireWorkspaceExists } from '../../../store/workspaces.ts';
import { type internalProject, INTERNAL_PROJECT_POLICIES, toInternalProject } from '../../../wire/internal-project.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { name } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { type slugParams, type workspaceQuery } from '../fields.ts';

/** Name and policy of an internal project; the policy decides whether its turns may use the general space. */
export const internalProjectBody = z
  .object({ name, policy: z.enum(INTERNAL_PROJECT_POLICIES).default('allow_general') })
  .meta({ id: 'InternalProjectBody' });

type PutInput = Input<z.output<typeof slugParams>, z.output<typeof workspaceQuery>, z.output<typeof internalProjectBody>>;

/** Creates or replaces an internal project; the policy applies from the next turn on. */
export async function putInternalProject(
  { principal, params, query, body }: PutInput,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof internalProject>>> {
  const workspaceId = query.workspace_id;
  await requireWorkspaceExists(db, workspaceId);
  const audit = toAuditEntry(principal, { action: 'internal-project.put', workspaceId, targetId: params.slug, details: body });
  return { body: toInternalProject(await store(db, { workspaceId, slug: params.slug, ...body }, audit)) };
}
