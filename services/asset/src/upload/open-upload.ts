import { type FileFrame, type OpenFileStream, openFileStream } from '@parley/kit/rpc/open-file-stream';
import { GatewayError } from '@parley/protos/errors';

/** Reads the head of an upload. @throws VALIDATION_ERROR when the first message is not a head */
export async function openUpload<Head>(frames: AsyncIterable<FileFrame<Head>>): Promise<OpenFileStream<Head>> {
  const upload = await openFileStream(frames);
  if (!upload) throw new GatewayError('VALIDATION_ERROR', 'an upload begins with its head', { param: 'file' });
  return upload;
}
