import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type UploadFileHead } from '@parley/protos/routing/v1/project';
import { type ConnectionRegistry } from '../connections/connection-registry.ts';
import { type Connection } from '../connections/connection.ts';
import { readConversationBinding } from '../conversation/read-conversation-binding.ts';
import { type ContinuityDeps } from '../conversation/record-continuity.ts';
import { requireAdmission } from '../conversation/require-admission.ts';
import { requireContinuableStatus } from '../domain/error-effects.ts';
import { findActiveProject } from '../projects/find-project.ts';
import { requireProjectConnection } from '../projects/project-connection.ts';
import { requireStoredProject } from '../projects/project-record.ts';
import { type OutgoingFile, type StoredFile } from '../providers/file-operations.ts';
import { type SourceStatus } from '../providers/project-operations.ts';
import { type UpstreamConnection } from '../providers/upstream-connection.ts';
import { type Store } from '../store/store.ts';

/** Dependencies of `requireFileTarget`. */
export interface FileTargetDeps extends ContinuityDeps {
  connections: ConnectionRegistry;
  store: Store;
}

/** Target of an upload: a conversation's connection or a project. Exactly one of `conversationId` and `projectId` is set. */
export interface FileTarget {
  connection: Connection;
  conversationId: string | null;
  projectId: string | null;
  /** Uploads the file. Throws the coded error of the upstream. */
  add(upstream: UpstreamConnection, file: OutgoingFile): Promise<StoredFile & { status: SourceStatus }>;
  /** Deletes an uploaded file; one that no longer exists is not an error. */
  remove(upstream: UpstreamConnection, upstreamRef: string): Promise<void>;
}

/**
 * Resolves the target of an upload. Throws the errors of the conversation, the project or the connection, and UNSUPPORTED_FILE_TYPE when
 * the provider does not accept files.
 */
export function requireFileTarget(deps: FileTargetDeps, { conversationId, projectId }: UploadFileHead, call: Call): Promise<FileTarget> {
  return projectId ? toProjectTarget(deps, projectId, call) : toConversationTarget(deps, conversationId, call);
}

async function toConversationTarget(deps: FileTargetDeps, conversationId: string, call: Call): Promise<FileTarget> {
  const { workspaceId } = call.caller;
  const binding = await readConversationBinding(deps, conversationId, call);
  requireContinuableStatus(binding.continuityStatus);
  if (binding.upstreamProjectId && !(await findActiveProject(deps, workspaceId, binding.upstreamProjectId)))
    requireContinuableStatus('project_unavailable');
  const connection = (await deps.connections.listChat(workspaceId)).find(({ id }) => id === binding.upstreamAccountId);
  if (!connection?.ready) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account of this conversation is not active');
  const { files } = connection.provider;
  if (!files) throw new GatewayError('UNSUPPORTED_FILE_TYPE', 'the account of this conversation takes no files', { param: 'file' });
  requireAdmission(deps, connection, binding, call);
  return {
    connection,
    conversationId: binding.conversationId,
    projectId: null,
    add: async (upstream, file) => ({ ...(await files.upload(upstream, file)), status: 'ready' }),
    remove: (upstream, upstreamRef) => files.remove(upstream, upstreamRef),
  };
}

async function toProjectTarget(deps: FileTargetDeps, id: string, call: Call): Promise<FileTarget> {
  const project = await requireStoredProject(deps, id, call);
  const connection = await requireProjectConnection(deps, project);
  const { projects } = connection.provider;
  if (!projects) throw new GatewayError('UNSUPPORTED_FILE_TYPE', 'the account of this project takes no files', { param: 'file' });
  return {
    connection,
    conversationId: null,
    projectId: project.id,
    add: (upstream, file) => projects.addFile(upstream, project.upstreamRef, file),
    remove: (upstream, upstreamRef) => projects.removeFile(upstream, project.upstreamRef, upstreamRef),
  };
}
