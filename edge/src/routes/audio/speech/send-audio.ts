import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { type SpeakResponse, type SpeechHead } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { contextOfResponse } from '../../../middleware/request-context.ts';

/** Asks for audio; the signal aborts when the client leaves. */
type Speak = (signal: AbortSignal) => AsyncIterable<SpeakResponse>;

/**
 * Answers with audio as it is made, no faster than the client takes it. Throws what fails before the first byte; a failure behind it breaks
 * the connection, so that nobody takes half an answer for a whole one. `made` is told what the audio is before the first byte.
 */
export async function sendAudio(res: ServerResponse, speak: Speak, stalledMs: number, made: (head: SpeechHead) => void): Promise<void> {
  const left = new AbortController();
  res.once('close', () => left.abort());
  // The client may have left before this began.
  if (res.destroyed) return;
  const frames = speak(left.signal)[Symbol.asyncIterator]();
  try {
    const head = await nextOf(frames, 'head');
    made(head);
    const first = await nextOf(frames, 'chunk');
    begin(res, head);
    // The socket's own timeout, since only it sees a client that has stopped without leaving.
    res.on('timeout', () => res.destroy());
    for (let chunk: Uint8Array | undefined = first; chunk; chunk = await chunkOf(frames)) {
      if (!res.write(chunk)) await drained(res, stalledMs, left.signal);
    }
    res.end();
    if (res.writableLength > 0) res.setTimeout(stalledMs);
  } catch (error) {
    if (!res.headersSent) throw error;
    if (!left.signal.aborted) contextOfResponse(res).error = error;
    res.destroy();
  } finally {
    void frames.return?.();
  }
}

type Frame = NonNullable<SpeakResponse['frame']>;
type ValueOf<C extends Frame['$case']> = Extract<Frame, { $case: C }>['value'];

async function nextOf<C extends Frame['$case']>(frames: AsyncIterator<SpeakResponse>, kind: C): Promise<ValueOf<C>> {
  const item = await frames.next();
  const frame = item.done ? undefined : item.value.frame;
  if (frame?.$case !== kind) throw new GatewayError('INTERNAL_ERROR', `the audio service answered without a ${kind}`);
  return frame.value as ValueOf<C>;
}

/** The next chunk; undefined at the end. */
async function chunkOf(frames: AsyncIterator<SpeakResponse>): Promise<Uint8Array | undefined> {
  const item = await frames.next();
  if (item.done) return undefined;
  const { frame } = item.value;
  if (frame?.$case !== 'chunk') throw new GatewayError('INTERNAL_ERROR', 'the audio service answered with two heads');
  return frame.value;
}

function begin(res: ServerResponse, { mimeType, sizeBytes }: SpeechHead): void {
  // More than was announced would be read as the next answer.
  res.strictContentLength = true;
  res.writeHead(200, {
    'content-type': mimeType,
    ...(sizeBytes !== undefined && { 'content-length': sizeBytes }),
    'x-content-type-options': 'nosniff',
    'x-request-id': contextOfResponse(res).id,
  });
}

/** Waits for the client, which is cut off when it takes nothing for too long. */
async function drained(res: ServerResponse, stalledMs: number, signal: AbortSignal): Promise<void> {
  res.setTimeout(stalledMs);
  await once(res, 'drain', { signal });
  res.setTimeout(0);
}
