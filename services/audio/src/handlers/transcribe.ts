import { type Call } from '@parley/kit/rpc/call';
import { type TranscribeRequest, type Transcription, type TranscriptionHead } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { type TranscriberDeps, transcribeRecording } from '../transcription/transcribe-recording.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Transcribes a recording that arrives in frames: the head, then chunks, then optionally a second head with the form fields that followed
 * the file.
 * @throws VALIDATION_ERROR for an invalid head, and the errors of `transcribeRecording`
 */
export async function transcribe(deps: TranscriberDeps, frames: AsyncIterable<TranscribeRequest>, call: Call): Promise<Transcription> {
  const source = frames[Symbol.asyncIterator]();
  try {
    const first = await source.next();
    const frame = first.done ? undefined : first.value.frame;
    if (frame?.$case !== 'head') throw invalid('a recording begins with its head', 'file');
    const head = checkHead(frame.value);
    return await transcribeRecording(deps, { head, chunks: readChunks(source, head) }, call);
  } finally {
    // Stops the sender.
    void source.return?.().catch(() => undefined);
  }
}

type Head = Pick<TranscriptionHead, 'language' | 'conversationId' | 'wantsTimes'>;

function checkHead({ language: asked, conversationId, wantsTimes }: Head): Head {
  const language = asked.toLowerCase();
  if (language !== '' && !/^[a-z]{2}$/.test(language))
    throw invalid('language must be an ISO 639-1 code of two letters, such as en', 'language');
  if (conversationId !== '' && !UUID.test(conversationId)) throw invalid('conversation_id is not an id', 'conversation_id');
  return { language, conversationId, wantsTimes };
}

/** Yields the bytes of the recording. A later head replaces the values of `head`, which are read after the last chunk. */
async function* readChunks(source: AsyncIterator<TranscribeRequest>, head: Head): AsyncGenerator<Uint8Array> {
  for (let item = await source.next(); !item.done; item = await source.next()) {
    const { frame } = item.value;
    if (frame?.$case === 'head') Object.assign(head, checkHead(frame.value));
    else if (frame?.$case === 'chunk') yield frame.value;
    else throw invalid('a recording has a head and chunks', 'file');
  }
}

function invalid(message: string, param: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', message, { param });
}
