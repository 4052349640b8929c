import { type Call } from '@parley/kit/rpc/call';
import { type ProjectRequest } from '@parley/protos/routing/v1/project';
import { type Deps } from '../deps.ts';
import { requireProjectConnection } from '../projects/project-connection.ts';
import { requireStoredProject } from '../projects/project-record.ts';
import { runProjectOperation } from '../projects/run-project-operation.ts';
import { markProjectDeleted } from '../store/projects.ts';
import { markProjectUnavailable } from './bound-conversations.ts';

/**
 * RPC DeleteProject: deletes a project at the upstream, then here with the rows of its files, and marks its conversations. A project that
 * no longer exists at the upstream is not an error, so that an interrupted deletion can be repeated. Throws PROJECT_NOT_FOUND, the error of
 * a connection that is not usable, PROJECT_UPDATE_FAILED, and SERVICE_UNAVAILABLE when the conversations could not be marked.
 */
export async function deleteProject(deps: Deps, { projectId }: ProjectRequest, call: Call): Promise<Record<string, never>> {
  const project = await requireStoredProject(deps, projectId, call);
  const connection = await requireProjectConnection(deps, project);
  await runProjectOperation(deps, connection, 'PROJECT_UPDATE_FAILED', (projects, upstream) =>
    projects.remove(upstream, project.upstreamRef),
  );
  await markProjectDeleted(deps.store, project.workspaceId, project.id);
  await markProjectUnavailable(deps, project.id, call);
  deps.log.info({ requestId: call.caller.requestId, projectId: project.id }, 'project deleted');
  return {};
}
