import { openFileStream } from '@parley/kit/rpc/open-file-stream';
import { counter } from '@parley/kit/telemetry/meter';
import { type SpeakResponse, type SpeechHead } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { getResponseContext } from '../../../middleware/request-context.ts';

const STALLED = counter('parley_stalled_clients_total');

/** Requests speech; the signal aborts when the client leaves. */
type Speak = (signal: AbortSignal) => AsyncIterable<SpeakResponse>;

/**
 * Sends audio as it is generated, no faster than the client reads it. Throws an error that occurs before the first byte; a later one closes
 * the connection, so that the client does not mistake a part for the whole. `made` receives the head before the first byte.
 */
export async function sendAudio(res: ServerResponse, speak: Speak, stalledMs: number, made: (head: SpeechHead) => void): Promise<void> {
  const left = new AbortController();
  res.once('close', () => left.abort());
  // The client may already have left.
  if (res.destroyed) return;
  const file = await openFileStream(
    speak(left.signal),
    () => new GatewayError('INTERNAL_ERROR', 'the audio service answered with a second head'),
  );
  if (!file) throw new GatewayError('INTERNAL_ERROR', 'the audio service answered without a head');
  const chunks = file.chunks[Symbol.asyncIterator]();
  try {
    made(file.head);
    const first = await chunks.next();
    if (first.done) throw new GatewayError('INTERNAL_ERROR', 'the audio service answered without a chunk');
    begin(res, file.head);
    // Uses the timeout of the socket, because only the socket sees a client that stalls without closing.
    res.on('timeout', () => {
      STALLED.add({});
      res.destroy();
    });
    for (let item: IteratorResult<Buffer> = first; !item.done; item = await chunks.next()) {
      if (!res.write(item.value)) await drained(res, stalledMs, left.signal);
    }
    res.end();
    if (res.writableLength > 0) res.setTimeout(stalledMs);
  } catch (error) {
    if (!res.headersSent) throw error;
    if (!left.signal.aborted) getResponseContext(res).error = error;
    res.destroy();
  } finally {
    file.stop();
  }
}

function begin(res: ServerResponse, { mimeType, sizeBytes }: SpeechHead): void {
  // Bytes beyond the announced length would be read as the next response.
  res.strictContentLength = true;
  res.writeHead(200, {
    'content-type': mimeType,
    ...(sizeBytes !== undefined && { 'content-length': sizeBytes }),
    'x-content-type-options': 'nosniff',
    'x-request-id': getResponseContext(res).id,
  });
}

/** Waits until the client has read; disconnects it when it does not read for too long. */
async function drained(res: ServerResponse, stalledMs: number, signal: AbortSignal): Promise<void> {
  res.setTimeout(stalledMs);
  await once(res, 'drain', { signal });
  res.setTimeout(0);
}
