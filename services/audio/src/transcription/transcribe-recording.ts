import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Logger } from '@parley/kit/log/logger';
import { type Call, withParentSpan } from '@parley/kit/rpc/call';
import { toWorkOrigin } from '@parley/kit/rpc/work-origin';
import { startSpan } from '@parley/kit/telemetry/tracer';
import { type Transcription, type TranscriptionHead, type TranscriptionTimes } from '@parley/protos/audio/v1/audio';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { join } from 'node:path';
import { transcriptionAttributes } from '../domain/span-attributes.ts';
import { type EndedTranscription } from '../domain/transcription.ts';
import { type Admission, type AdmissionQueue } from '../engines/admission-queue.ts';
import { type ScratchSpace } from '../engines/scratch-space.ts';
import { type Transcript } from '../providers/transcript.ts';
import { recordTranscription } from '../store/record-transcription.ts';
import { type Store } from '../store/store.ts';
import { chooseEngine, type EngineSources, requireEngine } from './choose-engine.ts';
import { decodeRecording, type DecodingLimits, type EncodedRecording, UnsupportedCodec } from './decoding/decode-recording.ts';
import { receiveRecording } from './receive-recording.ts';

/** Limits of a transcription. */
export interface TranscriptionLimits {
  /** Maximum size of the upload in bytes. */
  maxBytes: number;
  decoding: DecodingLimits;
  /** Timeout from the last byte of the upload to the response, in milliseconds. */
  timeoutMs: number;
}

/** Dependencies of transcription. */
export interface TranscriberDeps extends EngineSources {
  store: Store;
  scratch: ScratchSpace;
  limiter: AdmissionQueue;
  limits: TranscriptionLimits;
  log: Logger;
}

type Metrics = Omit<EndedTranscription, 'workMs' | 'status' | 'errorCondition' | 'endedAt'>;

/** A validated request: the head of an upload, and its bytes, which can be read once. */
export interface TranscriptionUpload {
  head: Pick<TranscriptionHead, 'language' | 'conversationId' | 'wantsTimes'>;
  chunks: AsyncIterable<Uint8Array>;
}

/**
 * Transcribes a recording. Deletes its files when it settles, in any case; the text is returned and never stored. Each admitted request
 * leaves a row of metrics and an event.
 * @throws the errors of `receiveRecording`, `decodeRecording` and `chooseEngine`; TRANSCRIPTION_RATE_LIMIT, TRANSCRIPTION_TIMEOUT,
 * TRANSCRIPTION_FAILED
 */
export async function transcribeRecording(
  deps: TranscriberDeps,
  { head, chunks }: TranscriptionUpload,
  call: Call,
): Promise<Transcription> {
  const admission = deps.limiter.admit(call.caller.workspaceId);
  const metrics = beginning(head, call);
  const { requestId } = call.caller;
  const began = performance.now();
  const span = startSpan('audio.transcription', { parent: call.parent });
  const endSpan = (condition?: string) => {
    span.setAttributes({ ...transcriptionAttributes(metrics), 'parley.transcription.id': metrics.id, 'parley.request.id': requestId });
    span.end(condition);
  };
  try {
    const transcript = await inPrivate(deps, { head, chunks }, metrics, admission, withParentSpan(call, span));
    await recordTranscription(deps.store, toEnded(metrics, performance.now() - began, undefined));
    const { id: jobId, language, model, durationMs } = metrics;
    const durationSeconds = durationMs / 1_000;
    endSpan();
    return {
      text: transcript.text,
      language,
      model,
      jobId,
      durationSeconds,
      ...(head.wantsTimes && { times: timesOf(transcript, durationSeconds) }),
    };
  } catch (error) {
    const coded = toGatewayError(error);
    await recordTranscription(deps.store, toEnded(metrics, performance.now() - began, coded)).catch((err: unknown) =>
      deps.log.error({ err, transcriptionId: metrics.id, requestId }, 'the end of a transcription could not be recorded'),
    );
    endSpan(coded.condition);
    throw error;
  } finally {
    admission[Symbol.dispose]();
  }
}

/** Receives, decodes and transcribes the recording in a temporary folder, which it deletes afterwards. */
async function inPrivate(
  deps: TranscriberDeps,
  { head, chunks }: TranscriptionUpload,
  metrics: Metrics,
  admission: Admission,
  call: Call,
): Promise<Transcript> {
  await requireEngine(deps, call);
  const hold = await deps.scratch.createFolder();
  try {
    const recording = await receiveRecording(hold.folder, chunks, deps.limits.maxBytes, metrics, call.signal);
    // Form fields after the file are known only now.
    Object.assign(metrics, toldBy(head));
    const { signal, stop } = deadline(call.signal, deps.limits.timeoutMs);
    const work = async (): Promise<Transcript> => {
      const pcmPath = join(hold.folder, 'samples.raw');
      const { path, type } = recording;
      const decoded = await decode({ path, format: type.format, output: pcmPath }, deps.limits.decoding, signal);
      // Chosen only now, because an acquired connection must be used for a call.
      const engine = await chooseEngine(deps, head.language, call);
      metrics.provider = engine.name;
      if (typeof decoded === 'number') metrics.durationMs = Math.round(decoded * 1_000);
      else if (engine.needsSamples) throw decoded;
      const { language, wantsTimes = false } = head;
      const transcript = await engine.transcribe({ path, type, pcmPath, language, wantsTimes }, signal);
      [metrics.language, metrics.model] = [transcript.language, transcript.model];
      // Without a local decoder, the server reports the duration.
      if (typeof decoded !== 'number') metrics.durationMs = Math.round((transcript.durationSeconds ?? 0) * 1_000);
      return transcript;
    };
    return await admission.run(work, signal).finally(stop);
  } finally {
    await hold[Symbol.asyncDispose]();
  }
}

/** Returns the times of a transcript; if the engine reported none, one segment spans the recording. */
function timesOf({ text, segments, words }: Transcript, durationSeconds: number): TranscriptionTimes {
  const isWhole = segments.length === 0 && text !== '' && durationSeconds > 0;
  const whole = { text, startSeconds: 0, endSeconds: durationSeconds };
  return { segments: isWhole ? [whole] : [...segments], words: [...words] };
}

/** Decodes a recording; resolves with its duration in seconds, or with UnsupportedCodec, as a connected server may support more codecs. */
function decode(encoded: EncodedRecording, limits: DecodingLimits, signal: AbortSignal): Promise<number | UnsupportedCodec> {
  return decodeRecording(encoded, limits, signal).catch((error: unknown) => {
    if (error instanceof UnsupportedCodec) return error;
    throw error;
  });
}

/** Returns a signal that aborts with the call or after `timeoutMs`; both timeouts become TRANSCRIPTION_TIMEOUT. */
function deadline(call: AbortSignal, timeoutMs: number): { signal: AbortSignal; stop: () => void } {
  const own = new AbortController();
  const late = (cause?: unknown): void =>
    own.abort(new GatewayError('TRANSCRIPTION_TIMEOUT', 'the transcription took too long', { cause }));
  const timer = setTimeout(late, timeoutMs);
  const follow = (): void => {
    const { reason } = call as { reason: unknown };
    if (toGatewayError(reason).condition === 'TIMEOUT') late(reason);
    else own.abort(reason);
  };
  if (call.aborted) follow();
  else call.addEventListener('abort', follow, { once: true });
  const stop = (): void => {
    clearTimeout(timer);
    call.removeEventListener('abort', follow);
  };
  return { signal: own.signal, stop };
}

function beginning(head: TranscriptionUpload['head'], call: Call): Metrics {
  const { caller } = call;
  const { traceparent } = toWorkOrigin(call);
  return {
    ...{ id: uuidv7(), workspaceId: caller.workspaceId, keyId: caller.keyId, provider: '', model: '', mimeType: '' },
    ...{ sizeBytes: 0, durationMs: 0, ...toldBy(head), traceparent, createdAt: new Date() },
  };
}

function toldBy({ language, conversationId }: TranscriptionUpload['head']): Pick<Metrics, 'language' | 'conversationId'> {
  return { language, conversationId: conversationId === '' ? null : conversationId };
}

function toEnded(metrics: Metrics, workMs: number, error: GatewayError | undefined): EndedTranscription {
  const status = error ? 'failed' : 'completed';
  return { ...metrics, workMs: Math.round(workMs), status, errorCondition: error?.condition ?? null, endedAt: new Date() };
}
