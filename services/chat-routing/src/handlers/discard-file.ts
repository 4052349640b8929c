import { type Call } from '@parley/kit/rpc/call';
import { type DiscardFileRequest } from '@parley/protos/routing/v1/project';
import { type FileRow } from '../store/files.ts';
import { type HandlerDeps } from './deps.ts';

/** RPC DiscardFile: forgets a file of the workspace, here and upstream. One that is unknown is no error. */
export async function discardFile(deps: HandlerDeps, { fileId }: DiscardFileRequest, call: Call): Promise<Record<string, never>> {
  const file = await deps.files.find(call.caller.workspaceId, fileId);
  if (!file) return {};
  // Here first, so that no message attaches a file that is about to be gone.
  await deps.files.deleteFile(file.id);
  await removeUpstream(deps, file).catch((err: unknown) =>
    deps.log.warn({ err, fileId, connectionId: file.connectionId }, 'a discarded file is still there upstream'),
  );
  deps.log.info({ fileId }, 'file discarded');
  return {};
}

async function removeUpstream(deps: HandlerDeps, { workspaceId, connectionId, projectId, upstreamRef }: FileRow): Promise<void> {
  const { provider, upstream } = await deps.accounts.find(workspaceId, connectionId);
  if (projectId === null) return provider.files?.remove(upstream, upstreamRef);
  const project = await deps.projects.find(workspaceId, projectId);
  if (project) await provider.projects?.removeFile(upstream, project.upstreamRef, upstreamRef);
}
