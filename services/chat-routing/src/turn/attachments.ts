import { type Call } from '@parley/kit/rpc/call';
import { type AttachedFile } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type TurnFile } from '../providers/upstream-turn.ts';
import { type Database } from '../store/database.ts';
import { type FileRow, findFiles, readPrepared } from '../store/files.ts';
import { type Store } from '../store/store.ts';

const PARAM = 'attachment_file_ids';
/** Maximum files of one message. */
const MAX_FILES = 20;
const FILE_ID = /^file_[A-Za-z0-9_-]{24,64}$/;

/**
 * Returns the files that a request attaches, in request order. Throws VALIDATION_ERROR for too many files or a duplicate id,
 * ASSET_NOT_FOUND for an unknown file, and ASSET_ACCESS_DENIED for a file that was not uploaded to the conversation of the request.
 */
export async function requireAttachments(
  { store }: { store: Store },
  { attachmentFileIds: ids, conversationId }: TurnRequest,
  { caller }: Pick<Call, 'caller'>,
): Promise<readonly FileRow[]> {
  if (ids.length > MAX_FILES) throw new GatewayError('VALIDATION_ERROR', `a message may have ${MAX_FILES} files`, { param: PARAM });
  if (new Set(ids).size < ids.length) throw new GatewayError('VALIDATION_ERROR', 'a file is attached twice', { param: PARAM });
  const known = ids.every((id) => FILE_ID.test(id))
    ? new Map((await findFiles(store.database, ids)).map((file) => [file.id, file]))
    : undefined;
  return ids.map((id) => {
    const file = known?.get(id);
    if (!file) throw new GatewayError('ASSET_NOT_FOUND', 'there is no such file', { param: PARAM });
    if (file.workspaceId !== caller.workspaceId || file.conversationId !== conversationId.toLowerCase())
      throw new GatewayError('ASSET_ACCESS_DENIED', 'the file was not uploaded to this conversation', { param: PARAM });
    return file;
  });
}

/** Files attached to earlier messages of a conversation, by file id. Files that no longer exist are left out. */
export async function findEarlierFiles(
  database: Database,
  conversationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TurnFile>> {
  const known = await findFiles(database, ids);
  return new Map(known.filter((file) => file.conversationId === conversationId).map((file) => [file.id, toTurnFile(database, file)]));
}

/** Converts a file row to the form that provider adapters receive; the prepared text is read from the database on request. */
export function toTurnFile(database: Database, { id, fileName, mimeType, sizeBytes, upstreamRef }: FileRow): TurnFile {
  return {
    ...{ fileId: id, name: fileName, mimeType, sizeBytes, upstreamRef },
    prepared: async (maxText) => (await readPrepared(database, id, maxText)) ?? { text: '', omitted: 'This file is no longer available.' },
  };
}

/** Converts a file row to the form that is recorded with its message. */
export function toAttachedFile({ id: fileId, assetId, fileName, mimeType }: FileRow): AttachedFile {
  return { fileId, assetId, fileName, mimeType };
}
