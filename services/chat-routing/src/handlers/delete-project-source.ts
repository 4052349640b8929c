import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type DeleteProjectSourceRequest, type DeleteProjectSourceResponse } from '@parley/protos/routing/v1/project';
import { type Deps } from '../deps.ts';
import { requireProjectConnection } from '../projects/project-connection.ts';
import { requireStoredProject } from '../projects/project-record.ts';
import { runProjectOperation } from '../projects/run-project-operation.ts';
import { deleteFile, findSource } from '../store/files.ts';

/**
 * RPC DeleteProjectSource: removes a file from a project, at the upstream first, and returns the id of its asset. Throws PROJECT_NOT_FOUND,
 * SOURCE_NOT_FOUND, the error of a connection that is not usable, and PROJECT_UPDATE_FAILED.
 */
export async function deleteProjectSource(
  deps: Deps,
  { projectId, sourceId }: DeleteProjectSourceRequest,
  call: Call,
): Promise<DeleteProjectSourceResponse> {
  const project = await requireStoredProject(deps, projectId, call);
  const source = await findSource(deps.store.database, project.id, sourceId);
  if (!source) throw new GatewayError('SOURCE_NOT_FOUND', 'the project has no such file', { param: 'source_id' });
  const connection = await requireProjectConnection(deps, project);
  await runProjectOperation(deps, connection, 'PROJECT_UPDATE_FAILED', (projects, upstream) =>
    projects.removeFile(upstream, project.upstreamRef, source.upstreamRef),
  );
  await deleteFile(deps.store.database, source.id);
  deps.filesChanged(project.workspaceId, project.id);
  deps.log.info({ requestId: call.caller.requestId, projectId: project.id, sourceId: source.id }, 'project file deleted');
  return { assetId: source.assetId };
}
