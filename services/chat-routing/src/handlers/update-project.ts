import { type Call } from '@parley/kit/rpc/call';
import { type Project, type UpdateProjectRequest } from '@parley/protos/routing/v1/project';
import { type Deps } from '../deps.ts';
import { toSlug } from '../domain/slug.ts';
import { requireProjectConnection } from '../projects/project-connection.ts';
import { countProjectConversations, requireStoredProject, toProject } from '../projects/project-record.ts';
import { runProjectOperation } from '../projects/run-project-operation.ts';
import { changeProject, requireFreeSlug } from '../store/projects.ts';

/**
 * RPC UpdateProject: changes the name or the instructions of a project, at the upstream first; its slug stays the same. Throws
 * PROJECT_NOT_FOUND, PROJECT_ALREADY_EXISTS for a name whose slug another project of the connection has, the error of a connection that is
 * not usable, and PROJECT_UPDATE_FAILED.
 */
export async function updateProject(deps: Deps, { projectId, name, instructions }: UpdateProjectRequest, call: Call): Promise<Project> {
  const project = await requireStoredProject(deps, projectId, call);
  if (name !== undefined) await requireFreeSlug(deps.store.database, { ...project, slug: toSlug(name) }, 'account');
  const connection = await requireProjectConnection(deps, project);
  const counts = await countProjectConversations(deps, [project.id], call);
  const change = { ...(name !== undefined && { name }), ...(instructions !== undefined && { instructions }) };
  await runProjectOperation(deps, connection, 'PROJECT_UPDATE_FAILED', (projects, upstream) =>
    projects.update(upstream, project.upstreamRef, change),
  );
  const stored = { ...change, ...(instructions === '' && { instructions: null }) };
  const updated = await changeProject(deps.store, project.workspaceId, project.id, stored);
  deps.log.info({ requestId: call.caller.requestId, projectId: project.id, changed: Object.keys(change) }, 'project updated');
  return toProject(updated, counts.get(project.id));
}
