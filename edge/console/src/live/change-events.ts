import { type QueryKey } from '@tanstack/react-query';

/** Names of the events of `GET /me/v1/events` that tell of a change. */
export const CHANGE_EVENTS = [
  'connection.changed',
  'conversation.changed',
  'conversation.answered',
  'asset.changed',
  'project.changed',
  'speech_job.changed',
  'action_run.changed',
  'usage.changed',
] as const;
export type ChangeEventName = (typeof CHANGE_EVENTS)[number];

/** Areas of a workspace; the keys of their queries are `[...workspaceQueryKey(id, 'assets'), …]`. */
export type WorkspaceArea = 'connections' | 'conversations' | 'assets' | 'projects' | 'speech-jobs' | 'action-runs' | 'usage';

/** Returns the key with which all queries of an area of a workspace begin. To invalidate it reads them again. */
export function workspaceQueryKey(workspaceId: string, area: WorkspaceArea): readonly ['workspace', string, WorkspaceArea] {
  return ['workspace', workspaceId, area];
}

/** The key of the messages of a conversation. */
export function messagesKey(workspaceId: string, conversationId: string): QueryKey {
  return [...workspaceQueryKey(workspaceId, 'conversations'), 'messages', conversationId];
}

/** The key of one speech job. */
export function speechJobKey(workspaceId: string, jobId: string): QueryKey {
  return [...workspaceQueryKey(workspaceId, 'speech-jobs'), 'one', jobId];
}

/** Returns the keys of the queries that a change makes stale. */
export function listStaleQueryKeys(name: ChangeEventName, data: Record<string, unknown>): QueryKey[] {
  const workspaceId = String(data['workspace_id']);
  switch (name) {
    case 'connection.changed':
      return [workspaceQueryKey(workspaceId, 'connections')];
    case 'conversation.changed':
    case 'conversation.answered':
      // `refreshConversations` reads what of a list has changed: there may be a million.
      return [];
    case 'asset.changed':
      // A message shows its assets.
      return [workspaceQueryKey(workspaceId, 'assets'), messagesKey(workspaceId, String(data['conversation_id']))];
    case 'project.changed':
      return [workspaceQueryKey(workspaceId, 'projects')];
    case 'speech_job.changed':
      // How far it is shows on the job alone; that it has begun is a move in lists.
      if (Number(data['progress']) > 0 && data['status'] === 'processing') return [speechJobKey(workspaceId, String(data['job_id']))];
      return [workspaceQueryKey(workspaceId, 'speech-jobs')];
    case 'action_run.changed':
      return [workspaceQueryKey(workspaceId, 'action-runs')];
    case 'usage.changed':
      return [workspaceQueryKey(workspaceId, 'usage')];
  }
}
