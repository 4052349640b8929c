import { isUuid } from '@parley/kit/ids/uuid';
import { MAX_FILE_BYTES } from '@parley/kit/rpc/open-file-stream';
import { GatewayError } from '@parley/protos/errors';
import { type UploadFileHead, type UploadFileRequest } from '@parley/protos/routing/v1/project';
import { createHash } from 'node:crypto';

/** An upload that is being received: its head, and its bytes, which can be read once. */
export interface IncomingUpload {
  head: UploadFileHead;
  /** Throws VALIDATION_ERROR, before the last chunk is yielded, when size or SHA-256 do not match the head. */
  bytes: AsyncIterable<Uint8Array>;
}

/** Reads the head of an upload's frames. Throws VALIDATION_ERROR for a missing or invalid head, and FILE_TOO_LARGE. */
export async function readUpload(frames: AsyncIterable<UploadFileRequest>): Promise<IncomingUpload> {
  const rest = frames[Symbol.asyncIterator]();
  const first = await rest.next();
  const frame = first.done ? undefined : first.value.frame;
  if (frame?.$case !== 'head') throw invalid('the first frame is not the head of a file');
  const head = frame.value;
  if ((head.conversationId === '') === (head.projectId === '')) throw invalid('a file belongs to a conversation or to a project');
  if (!isUuid(head.assetId) || head.fileName === '' || head.mimeType === '') throw invalid('a file needs an asset, a name and a type');
  if (head.sizeBytes === 0) throw invalid('the file is empty');
  if (head.sizeBytes > MAX_FILE_BYTES) throw new GatewayError('FILE_TOO_LARGE', 'the file is larger than 10 MB', { param: 'file' });
  return { head, bytes: checked(rest, head) };
}

/**
 * Yields the chunks. Holds the last one back until size and digest are verified, so that a truncated file is never accepted as complete.
 */
async function* checked(frames: AsyncIterator<UploadFileRequest>, { sizeBytes, sha256 }: UploadFileHead): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let size = 0;
  let held: Uint8Array | undefined;
  for (let next = await frames.next(); !next.done; next = await frames.next()) {
    const { frame } = next.value;
    if (frame?.$case !== 'chunk') throw invalid('a file has one head');
    size += frame.value.length;
    if (size > sizeBytes) break;
    if (frame.value.length === 0) continue;
    hash.update(frame.value);
    if (held) yield held;
    held = frame.value;
  }
  if (size !== sizeBytes || hash.digest('hex') !== sha256) throw invalid('the bytes are not those of the file');
  if (held) yield held;
}

function invalid(message: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', message, { param: 'file' });
}
