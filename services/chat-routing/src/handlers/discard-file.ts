import { type Call } from '@parley/kit/rpc/call';
import { type DiscardFileRequest } from '@parley/protos/routing/v1/project';
import { type Deps } from '../deps.ts';
import { deleteFile, type FileRow, findFile } from '../store/files.ts';
import { findStoredProject } from '../store/projects.ts';

/**
 * RPC DiscardFile: deletes a file of the workspace, here and at its upstream. An unknown file is not an error; upstream errors are logged.
 */
export async function discardFile(deps: Deps, { fileId }: DiscardFileRequest, call: Call): Promise<Record<string, never>> {
  const file = await findFile(deps.store.database, call.caller.workspaceId, fileId);
  if (!file) return {};
  // Delete the row first, so that no message attaches a file that is about to be deleted upstream.
  await deleteFile(deps.store.database, file.id);
  await removeUpstream(deps, file).catch((err: unknown) =>
    deps.log.warn(
      { requestId: call.caller.requestId, err, fileId, connectionId: file.connectionId },
      'a discarded file is still there upstream',
    ),
  );
  deps.log.info({ requestId: call.caller.requestId, fileId }, 'file discarded');
  return {};
}

async function removeUpstream(deps: Deps, { workspaceId, connectionId, projectId, upstreamRef }: FileRow): Promise<void> {
  const { provider, upstream } = await deps.connections.getChat(workspaceId, connectionId);
  if (projectId === null) return provider.files?.remove(upstream, upstreamRef);
  const project = await findStoredProject(deps.store.database, workspaceId, projectId);
  if (project) await provider.projects?.removeFile(upstream, project.upstreamRef, upstreamRef);
}
