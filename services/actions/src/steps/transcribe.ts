import { type Stub } from '@parley/kit/rpc/client';
import { type AudioServiceService, type TranscribeRequest } from '@parley/protos/audio/v1/audio';
import { type InputFile, type InputFilesClient, openInputFile } from './open-input-file.ts';
import { requireAssetId, requireObjectPayload, requireTextField } from './payload.ts';
import { toInternalCallError } from './step-errors.ts';
import { type StepExecutor } from './step-executor.ts';

/** The transcription RPC of the audio service. */
export type TranscriptionClient = Pick<Stub<typeof AudioServiceService>, 'transcribe'>;

/** Longer than any step's own timeout, in milliseconds. */
const DEADLINE_MS = 600_000;

/**
 * Returns the executor of `transcribe`: the transcript of a file input. Payload: `file`, and optional `language`. Body: `text`, `language`,
 * `duration_seconds`, `model`.
 */
export function transcribeExecutor(audio: TranscriptionClient, inputs: InputFilesClient): StepExecutor {
  return {
    execute: async (request, signal) => {
      const payload = requireObjectPayload(request.payload);
      const [assetId, language] = [requireAssetId(payload, 'file'), requireTextField(payload, 'language', '')];
      try {
        const input = await openInputFile(inputs, assetId, request, signal);
        const { caller, traceparent } = request;
        const init = { caller, traceparent, signal, deadlineMs: DEADLINE_MS };
        const transcript = await audio.transcribe(toFrames(input, language), init).finally(() => input.stop());
        const { text, model, durationSeconds } = transcript;
        return { statusCode: 200, headers: {}, body: { text, language: transcript.language, duration_seconds: durationSeconds, model } };
      } catch (error) {
        throw toInternalCallError(error, signal);
      }
    },
  };
}

async function* toFrames({ head: file, chunks }: InputFile, language: string): AsyncGenerator<TranscribeRequest> {
  const head = { fileName: file.fileName, declaredType: file.mimeType, language, conversationId: '' };
  yield { frame: { $case: 'head', value: head } };
  for await (const value of chunks) yield { frame: { $case: 'chunk', value } };
}
