import { type Call } from '@parley/kit/rpc/call';
import { type ProjectRequest } from '@parley/protos/routing/v1/project';
import { callUpstream } from '../projects/call-upstream.ts';
import { requireProjectConnection } from '../projects/project-connection.ts';
import { requireStored } from '../projects/project-record.ts';
import { markProjectGone } from './bound-conversations.ts';
import { type Deps } from '../deps.ts';
import { markProjectDeleted } from '../store/projects.ts';

/**
 * RPC DeleteProject: deletes a project upstream, then here with the records of its files. One that is gone upstream already is no
 * error, so that a deletion which was cut off can be asked for again. Throws PROJECT_NOT_FOUND, what keeps the connection from serving, and
 * PROJECT_UPDATE_FAILED.
 */
export async function deleteProject(deps: Deps, { projectId }: ProjectRequest, call: Call): Promise<Record<string, never>> {
  const project = await requireStored(deps, projectId, call);
  const connection = await requireProjectConnection(deps, project);
  await callUpstream(deps, connection, 'PROJECT_UPDATE_FAILED', (projects, upstream) => projects.remove(upstream, project.upstreamRef));
  await markProjectDeleted(deps.store, project.workspaceId, project.id);
  await markProjectGone(deps, project.id, call);
  deps.log.info({ requestId: call.caller.requestId, projectId: project.id }, 'project deleted');
  return {};
}
