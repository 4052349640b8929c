import { type Call } from '@parley/kit/rpc/call';
import { type BindProjectRequest, type Project } from '@parley/protos/routing/v1/project';
import { countConversations, requireStored, toProject } from '../projects/project-record.ts';
import { type Deps } from '../deps.ts';
import { bindStoredProject } from '../store/projects.ts';

/**
 * RPC BindProject: lets a workspace select a project or forbids it, and makes it the one that conversations go to which may not be general. There
 * is one such at most, and it is bound. Throws PROJECT_NOT_FOUND, and VALIDATION_ERROR for a default one that would not be bound.
 */
export async function bindProject(deps: Deps, { projectId, bound, isDefault }: BindProjectRequest, call: Call): Promise<Project> {
  const { id } = await requireStored(deps, projectId, call);
  const counts = await countConversations(deps, [id], call);
  const project = await bindStoredProject(deps.store, call.caller.workspaceId, id, { bound, isDefault });
  deps.log.info(
    { requestId: call.caller.requestId, projectId: project.id, bound: project.bound, isDefault: project.isDefault },
    'project bound',
  );
  return toProject(project, counts.get(id));
}
