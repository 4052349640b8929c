import { GatewayError } from '@parley/protos/errors';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { detectRecordingType, type RecordingType, TYPE_DETECTION_BYTES } from '../domain/recording-type.ts';

/** A recording that was stored in a temporary folder. */
export interface Recording {
  path: string;
  sizeBytes: number;
  type: RecordingType;
}

/** Metrics that are updated while a recording arrives. */
export interface ReceiveProgress {
  sizeBytes: number;
  mimeType: string;
}

/**
 * Writes a recording to a file that only this account can read, and detects its type by its content. Updates `received` as bytes arrive.
 * @throws FILE_TOO_LARGE as soon as the limit is exceeded; VALIDATION_ERROR for an empty file; AUDIO_VALIDATION_FAILED for a file that is
 * not a recording; SERVICE_UNAVAILABLE when the disk is full; the errors of `chunks`; the signal's reason
 */
export async function receiveRecording(
  folder: string,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  received: ReceiveProgress,
  signal: AbortSignal,
): Promise<Recording> {
  const path = join(folder, 'recording');
  const head: Uint8Array[] = [];
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      if (received.sizeBytes < TYPE_DETECTION_BYTES) head.push(chunk);
      received.sizeBytes += chunk.length;
      if (received.sizeBytes > maxBytes) {
        throw new GatewayError('FILE_TOO_LARGE', `the recording has more than ${maxBytes} bytes`, { param: 'file' });
      }
      await file.writeFile(chunk).catch((cause: unknown) => {
        throw new GatewayError('SERVICE_UNAVAILABLE', 'the recording could not be stored', { cause });
      });
    }
  } finally {
    await file.close();
  }
  signal.throwIfAborted();
  if (received.sizeBytes === 0) throw new GatewayError('VALIDATION_ERROR', 'the file is empty', { param: 'file' });
  const type = detectRecordingType(Buffer.concat(head));
  if (!type)
    throw new GatewayError('AUDIO_VALIDATION_FAILED', 'the file is no recording of a format that is known here', { param: 'file' });
  received.mimeType = type.mimeType;
  return { path, sizeBytes: received.sizeBytes, type };
}
