import { type Call } from '@parley/kit/rpc/call';
import { type Project, type UpdateProjectRequest } from '@parley/protos/routing/v1/project';
import { toSlug } from '../domain/slug.ts';
import { askUpstream } from '../projects/ask-upstream.ts';
import { requireProjectAccount } from '../projects/project-account.ts';
import { countConversations, requireStored, toProject } from '../projects/project-record.ts';
import { type HandlerDeps } from './deps.ts';

/**
 * RPC UpdateProject: renames a project or changes its instructions, upstream first. Its slug stays. Throws PROJECT_NOT_FOUND,
 * PROJECT_ALREADY_EXISTS for a name whose slug another project of the account has, what keeps the account from serving, and PROJECT_UPDATE_FAILED.
 */
export async function updateProject(
  deps: HandlerDeps,
  { projectId, name, instructions }: UpdateProjectRequest,
  call: Call,
): Promise<Project> {
  const project = await requireStored(deps, projectId, call);
  if (name !== undefined) await deps.projects.requireFree({ ...project, slug: toSlug(name) }, 'account');
  const account = await requireProjectAccount(deps, project);
  const counts = await countConversations(deps, [project.id], call);
  const change = { ...(name !== undefined && { name }), ...(instructions !== undefined && { instructions }) };
  await askUpstream(deps, account, 'PROJECT_UPDATE_FAILED', (projects, upstream) => projects.update(upstream, project.upstreamRef, change));
  const stored = { ...change, ...(instructions === '' && { instructions: null }) };
  const updated = await deps.projects.update(project.workspaceId, project.id, stored);
  deps.log.info({ projectId: project.id, changed: Object.keys(change) }, 'project updated');
  return toProject(updated, counts.get(project.id));
}
