import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type ErrorCondition, GatewayError, toGatewayError } from '@parley/protos/errors';
import { type UploadedFile, type UploadFileRequest } from '@parley/protos/routing/v1/project';
import { randomBytes } from 'node:crypto';
import { recordCallError } from '../connections/record-call-error.ts';
import { type Deps } from '../deps.ts';
import { type FileTarget, requireFileTarget } from '../files/file-target.ts';
import { type IncomingUpload, readUpload } from '../files/incoming-upload.ts';
import { toSource } from '../projects/project-record.ts';
import { type StoredFile } from '../providers/file-operations.ts';
import { type SourceStatus } from '../providers/project-operations.ts';
import { deleteFile, type FileRow, insertFile } from '../store/files.ts';

/** Errors that reach the client unchanged, because it can act on them; any other error of an upstream is UPLOAD_FAILED. */
const CLIENT_ERRORS: readonly ErrorCondition[] = [
  ...(['ACCOUNT_REAUTH_REQUIRED', 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED', 'PROVIDER_RATE_LIMITED'] as const),
  ...(['UNSUPPORTED_FILE_TYPE', 'VALIDATION_ERROR', 'PROJECT_NOT_FOUND', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'] as const),
  'RATE_LIMIT_EXCEEDED',
];

/**
 * RPC UploadFile: streams a file to the upstream of a conversation or a project, and stores its row. When any step fails, the file is
 * deleted again here and at the upstream. Throws the errors of the conversation or the project, UNSUPPORTED_FILE_TYPE,
 * UPSTREAM_ACCOUNT_NOT_AUTHORIZED and UPLOAD_FAILED.
 */
export async function uploadFile(deps: Deps, frames: AsyncIterable<UploadFileRequest>, call: Call): Promise<UploadedFile> {
  const upload = await readUpload(frames);
  const target = await requireFileTarget(deps, upload.head, call);
  const stored = await sendToUpstream(deps, target, upload, call);
  const row = await record(deps, target, upload, stored, call);
  if (row.projectId === null) return { fileId: row.id };
  deps.filesChanged(call.caller.workspaceId, row.projectId);
  if (row.status === 'processing') deps.sourcePoller.scheduleCheck();
  return { fileId: row.id, source: toSource(row) };
}

type UpstreamFile = StoredFile & { status: SourceStatus };

async function sendToUpstream(deps: Deps, target: FileTarget, { head, bytes }: IncomingUpload, call: Call): Promise<UpstreamFile> {
  const { connection } = target;
  const { upstream } = connection;
  const { workspaceId } = call.caller;
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(deps.uploadMs)]);
  connection.usedSinceTouch = true;
  try {
    const { fileName: name, mimeType, sizeBytes: size } = head;
    const sent = await target.add(upstream, { workspaceId, name, mimeType, size, bytes, signal });
    if (target.projectId) deps.connections.health.recordFeature(connection, 'project_files', true);
    return sent;
  } catch (thrown) {
    if (call.abortReason) throw call.abortReason;
    const error = toGatewayError(thrown);
    recordCallError(deps, connection, upstream.secret, error);
    if (target.projectId && error.condition === 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED')
      deps.connections.health.recordFeature(connection, 'project_files', false);
    if (CLIENT_ERRORS.includes(error.condition)) throw error;
    throw new GatewayError('UPLOAD_FAILED', 'the provider did not take the file', { cause: error, retryAfterMs: error.retryAfterMs });
  }
}

async function record(deps: Deps, target: FileTarget, { head }: IncomingUpload, sent: UpstreamFile, call: Call): Promise<FileRow> {
  const { connection, conversationId, projectId } = target;
  const id = projectId === null ? `file_${randomBytes(24).toString('base64url')}` : uuidv7();
  try {
    requireCaller(call);
    const { assetId, fileName, mimeType, sizeBytes } = head;
    const row = await insertFile(deps.store.database, {
      ...{ id, workspaceId: call.caller.workspaceId, connectionId: connection.id, conversationId, projectId },
      ...{ assetId, fileName, mimeType, sizeBytes, ...sent },
    });
    // A caller that has disconnected never learns the id of its file, so the file is undone.
    requireCaller(call);
    deps.log.info({ requestId: call.caller.requestId, fileId: id, connectionId: connection.id, mimeType, sizeBytes }, 'file uploaded');
    return row;
  } catch (error) {
    await undo(deps, target, { id, upstreamRef: sent.upstreamRef, requestId: call.caller.requestId });
    throw error;
  }
}

function requireCaller({ abortReason }: Call): void {
  if (abortReason) throw abortReason;
}

/** Deletes row and upstream file. The row too, because a commit whose response was lost may have succeeded. */
async function undo(
  deps: Deps,
  target: FileTarget,
  { id, upstreamRef, requestId }: { id: string; upstreamRef: string; requestId: string },
): Promise<void> {
  const undone = await Promise.allSettled([deleteFile(deps.store.database, id), target.remove(target.connection.upstream, upstreamRef)]);
  for (const one of undone) {
    if (one.status === 'rejected')
      deps.log.warn(
        { err: one.reason as unknown, requestId, fileId: id, connectionId: target.connection.id },
        'a file that was not kept is still there',
      );
  }
}
