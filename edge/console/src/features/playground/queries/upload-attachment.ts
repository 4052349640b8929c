import { fetchInWorkspace, getWorkspaceClient } from '../../../api/me.ts';
import { asProblem, readProblem } from '../../../api/problem.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { type Attachment } from '../turn/running-turn.ts';

/** What a conversation is begun with where a file comes before the first message. */
export interface NewConversation {
  model: string;
  upstream_account_id?: string;
  upstream_project_id?: string;
}

/** Begins a conversation; returns its id. @throws Problem */
export async function createConversation(workspaceId: string, body: NewConversation): Promise<string> {
  return (await unwrap(getWorkspaceClient(workspaceId).POST('/me/v1/conversations', { body }))).id;
}

/** Uploads a file to a conversation and its upstream. @throws Problem */
export async function uploadAttachment(workspaceId: string, conversationId: string, file: File, signal: AbortSignal): Promise<Attachment> {
  const body = new FormData();
  body.append('file', file, file.name);
  const response = await fetchInWorkspace(workspaceId, `/me/v1/conversations/${conversationId}/attachments`, {
    method: 'POST',
    body,
    signal,
  }).catch((error: unknown) => {
    throw asProblem(error);
  });
  if (!response.ok) throw await readProblem(response);
  return (await response.json()) as Attachment;
}
