import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { openFile } from '@parley/kit/rpc/open-file';
import { counter } from '@parley/kit/telemetry/meter';
import { type SpeakResponse, type SpeechHead } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { getResponseContext } from '../../../middleware/request-context.ts';

const STALLED = counter('parley_stalled_clients_total');

/** Asks for audio; the signal aborts when the client leaves. */
type Speak = (signal: AbortSignal) => AsyncIterable<SpeakResponse>;

/**
 * Answers with audio as it is made, no faster than the client takes it. Throws what fails before the first byte; a failure behind it breaks
 * the connection, so that no client takes half an answer for a whole one. `made` gets the head before the first byte.
 */
export async function sendAudio(res: ServerResponse, speak: Speak, stalledMs: number, made: (head: SpeechHead) => void): Promise<void> {
  const left = new AbortController();
  res.once('close', () => left.abort());
  // The client may have left before this began.
  if (res.destroyed) return;
  const file = await openFile(
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
    // The socket's own timeout, since only it sees a client that has stopped without leaving.
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
  // More than was announced would be read as the next answer.
  res.strictContentLength = true;
  res.writeHead(200, {
    'content-type': mimeType,
    ...(sizeBytes !== undefined && { 'content-length': sizeBytes }),
    'x-content-type-options': 'nosniff',
    'x-request-id': getResponseContext(res).id,
  });
}

/** Waits for the client, which is cut off when it takes nothing for too long. */
async function drained(res: ServerResponse, stalledMs: number, signal: AbortSignal): Promise<void> {
  res.setTimeout(stalledMs);
  await once(res, 'drain', { signal });
  res.setTimeout(0);
}
