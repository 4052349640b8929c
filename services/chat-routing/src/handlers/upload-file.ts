import { randomBytes } from 'node:crypto';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type Condition, GatewayError, toGatewayError } from '@parley/protos/errors';
import { type UploadedFile, type UploadFileRequest } from '@parley/protos/routing/v1/project';
import { type FilePlace, requirePlace } from '../files/file-place.ts';
import { type IncomingUpload, readUpload } from '../files/incoming-file.ts';
import { toSource } from '../projects/project-record.ts';
import { type StoredFile } from '../providers/file-operations.ts';
import { type SourceStatus } from '../providers/project-operations.ts';
import { type FileRow } from '../store/files.ts';
import { judgeCall } from '../turn/verdict.ts';
import { type HandlerDeps } from './deps.ts';

/** What a client hears as it is, because it can do something about it; anything else of an upstream is a failed upload. */
const TOLD: readonly Condition[] = [
  ...(['ACCOUNT_REAUTH_REQUIRED', 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED', 'PROVIDER_RATE_LIMITED'] as const),
  ...(['UNSUPPORTED_FILE_TYPE', 'VALIDATION_ERROR', 'PROJECT_NOT_FOUND', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'] as const),
  'RATE_LIMIT_EXCEEDED',
];

/**
 * RPC UploadFile: streams a file to the account of a conversation, or to a project (spec §4.3, §4.4). Where any of it fails nothing is kept,
 * here or upstream. Throws the refusals of the conversation or the project, UNSUPPORTED_FILE_TYPE, UPSTREAM_ACCOUNT_NOT_AUTHORIZED and
 * UPLOAD_FAILED.
 */
export async function uploadFile(deps: HandlerDeps, frames: AsyncIterable<UploadFileRequest>, call: Call): Promise<UploadedFile> {
  const upload = await readUpload(frames);
  const place = await requirePlace(deps, upload.head, call);
  const stored = await give(deps, place, upload, call);
  const row = await keep(deps, place, upload, stored, call);
  if (row.projectId === null) return { fileId: row.id };
  if (row.status === 'processing') deps.follower.poke();
  return { fileId: row.id, source: toSource(row) };
}

type Given = StoredFile & { status: SourceStatus };

async function give(deps: HandlerDeps, place: FilePlace, { head, bytes }: IncomingUpload, call: Call): Promise<Given> {
  const { account } = place;
  const { upstream } = account;
  const { workspaceId } = call.caller;
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(deps.uploadMs)]);
  account.usedSinceTouch = true;
  try {
    const { fileName: name, mimeType, sizeBytes: size } = head;
    const given = await place.add(upstream, { workspaceId, name, mimeType, size, bytes, signal });
    if (place.projectId) deps.accounts.health.feature(account, 'project_files', true);
    return given;
  } catch (thrown) {
    if (call.abandoned) throw call.abandoned;
    const error = toGatewayError(thrown);
    judgeCall(deps, account, upstream.secret, error);
    if (place.projectId && error.condition === 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED')
      deps.accounts.health.feature(account, 'project_files', false);
    if (TOLD.includes(error.condition)) throw error;
    throw new GatewayError('UPLOAD_FAILED', 'the provider did not take the file', { cause: error, retryAfterMs: error.retryAfterMs });
  }
}

async function keep(deps: HandlerDeps, place: FilePlace, { head }: IncomingUpload, given: Given, call: Call): Promise<FileRow> {
  const { account, conversationId, projectId } = place;
  const id = projectId === null ? `file_${randomBytes(24).toString('base64url')}` : uuidv7();
  try {
    requireCaller(call);
    const { assetId, fileName, mimeType, sizeBytes } = head;
    const row = await deps.files.create({
      ...{ id, workspaceId: call.caller.workspaceId, connectionId: account.id, conversationId, projectId },
      ...{ assetId, fileName, mimeType, sizeBytes, ...given },
    });
    // Nobody hears the id of a file whose caller is gone.
    requireCaller(call);
    deps.log.info({ fileId: id, connectionId: account.id, mimeType, sizeBytes }, 'file uploaded');
    return row;
  } catch (error) {
    await takeBack(deps, place, id, given.upstreamRef);
    throw error;
  }
}

function requireCaller({ abandoned }: Call): void {
  if (abandoned) throw abandoned;
}

/** A commit that was cut off may have taken effect. */
async function takeBack(deps: HandlerDeps, place: FilePlace, id: string, upstreamRef: string): Promise<void> {
  const undone = await Promise.allSettled([deps.files.deleteFile(id), place.remove(place.account.upstream, upstreamRef)]);
  for (const one of undone) {
    if (one.status === 'rejected')
      deps.log.warn({ err: one.reason as unknown, fileId: id, connectionId: place.account.id }, 'a file that was not kept is still there');
  }
}
