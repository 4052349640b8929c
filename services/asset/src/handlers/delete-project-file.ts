import { deleteBlobs } from '@parley/kit/blob/delete-blobs';
import { type Call, toDownstreamInit } from '@parley/kit/rpc/call';
import { type DeleteProjectFileRequest } from '@parley/protos/asset/v1/asset';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { requireWorkspaceId } from '../domain/access.ts';
import { requireUuid } from '../domain/artifact.ts';
import { removeProjectFile } from '../store/remove-assets.ts';

/** Deletes a file of a project, upstream first. @throws SOURCE_NOT_FOUND, PROJECT_NOT_FOUND and the errors of the provider */
export async function deleteProjectFile(deps: Deps, request: DeleteProjectFileRequest, call: Call): Promise<Record<string, never>> {
  const projectId = requireUuid('project_id', request.projectId);
  const { sourceId } = request;
  const workspaceId = requireWorkspaceId(call.caller);
  const forget = async () => {
    const orphans = await removeProjectFile(deps.store.database, projectId, sourceId, workspaceId);
    await deleteBlobs(deps.blobs, orphans, deps.log);
  };
  try {
    await deps.routing.deleteProjectSource({ projectId, sourceId }, toDownstreamInit(call));
  } catch (error) {
    // An earlier attempt may have deleted it upstream only.
    if (error instanceof GatewayError && error.condition === 'SOURCE_NOT_FOUND') await forget();
    throw error;
  }
  await forget();
  return {};
}
