import { type Call } from '@parley/kit/rpc/call';
import { type BindProjectRequest, type Project } from '@parley/protos/routing/v1/project';
import { type Deps } from '../deps.ts';
import { countProjectConversations, requireStoredProject, toProject } from '../projects/project-record.ts';
import { bindStoredProject } from '../store/projects.ts';

/**
 * RPC BindProject: sets whether a workspace may select a project (`bound`) and whether it is the default project, which receives
 * conversations that must be in a project. A workspace has at most one default, which must be bound. Throws PROJECT_NOT_FOUND, and
 * VALIDATION_ERROR for a default that would not be bound.
 */
export async function bindProject(deps: Deps, { projectId, bound, isDefault }: BindProjectRequest, call: Call): Promise<Project> {
  const { id } = await requireStoredProject(deps, projectId, call);
  const counts = await countProjectConversations(deps, [id], call);
  const project = await bindStoredProject(deps.store, call.caller.workspaceId, id, { bound, isDefault });
  deps.log.info(
    { requestId: call.caller.requestId, projectId: project.id, bound: project.bound, isDefault: project.isDefault },
    'project bound',
  );
  return toProject(project, counts.get(id));
}
