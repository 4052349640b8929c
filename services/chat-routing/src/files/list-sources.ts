import { type FileRow, readProjectFiles } from '../store/files.ts';
import { type StoredProject } from '../store/projects.ts';
import { type Store } from '../store/store.ts';
import { type SourceStatusPoller } from './source-status-poller.ts';

/** Lists the files of a project, oldest first. While some are processing, refreshes their statuses from the upstream first, if possible. */
export async function listSources(
  { store, sourcePoller }: { store: Store; sourcePoller: SourceStatusPoller },
  { id: projectId, upstreamRef: projectRef, workspaceId, connectionId }: StoredProject,
): Promise<FileRow[]> {
  const sources = await readProjectFiles(store.database, projectId);
  if (!sources.some(({ status }) => status === 'processing')) return sources;
  await sourcePoller.refresh({ projectId, projectRef, workspaceId, connectionId });
  return readProjectFiles(store.database, projectId);
}
