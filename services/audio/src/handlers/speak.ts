import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call, withParentSpan } from '@parley/kit/rpc/call';
import { toWorkOrigin } from '@parley/kit/rpc/work-origin';
import { startSpan } from '@parley/kit/telemetry/tracer';
import { type SpeakRequest, type SpeakResponse } from '@parley/protos/audio/v1/audio';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { requireWorkspaceId } from '../domain/access.ts';
import { speechAttributes } from '../domain/span-attributes.ts';
import { MAX_SPEAK_CHARACTERS, countCharacters, requireSpeechInput } from '../domain/speech-input.ts';
import { type EndedSpeech } from '../domain/speech.ts';
import { type Admission } from '../engines/admission-queue.ts';
import { synthesizeSpeech } from '../providers/synthesize-speech.ts';
import { type EncodedSpeech } from '../speech/encode-speech.ts';
import { toSupportedFormat, requireKnownFormat } from '../speech/formats.ts';
import { chargeCharacters } from '../store/quota.ts';
import { recordSpeech } from '../store/record-speech.ts';

const FRAME = 65_536;
const HINT = '; longer texts are for POST /v1/audio/generations';

/**
 * Synthesizes a short text synchronously. The audio is complete before the head is sent, so that a failure becomes a status code. Usage
 * counts each admitted call once, however it ends.
 * @throws VALIDATION_ERROR, VOICE_NOT_FOUND, AUDIO_PROVIDER_NOT_FOUND, AUDIO_QUOTA_EXCEEDED, RATE_LIMIT_EXCEEDED when too many calls are in
 * progress, and the errors of the provider
 */
export async function* speak(deps: Deps, request: SpeakRequest, call: Call): AsyncGenerator<SpeakResponse> {
  // An admitted request holds audio in memory until it is sent.
  const admission = deps.speechLimiter.admit(requireWorkspaceId(call.caller));
  try {
    const { chunks, mimeType, sizeBytes, durationMs } = await counted(deps, request, admission, call);
    yield { frame: { $case: 'head', value: { mimeType, sizeBytes, durationMs } } };
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += FRAME) yield { frame: { $case: 'chunk', value: chunk.subarray(at, at + FRAME) } };
    }
  } finally {
    admission[Symbol.dispose]();
  }
}

/** Metrics that are collected while the request is processed. */
interface Metrics extends Omit<EndedSpeech, 'workMs' | 'status' | 'errorCondition' | 'endedAt'> {
  /** Whether its characters were charged to the quota. */
  isCharged: boolean;
}

async function counted(deps: Deps, request: SpeakRequest, admission: Admission, call: Call): Promise<EncodedSpeech> {
  const identity = { id: uuidv7(), workspaceId: requireWorkspaceId(call.caller), keyId: call.caller.keyId };
  const facts = { provider: '', model: request.model, inputCharacters: countCharacters(request.input), isCharged: false };
  const { requestId, traceparent } = toWorkOrigin(call);
  const metrics: Metrics = { ...identity, ...facts, traceparent, createdAt: new Date() };
  const span = startSpan('audio.speech', { parent: call.parent });
  const began = performance.now();
  const end = (error?: GatewayError): EndedSpeech => {
    const { isCharged: _, ...known } = metrics;
    const status = error ? 'failed' : 'completed';
    return {
      ...known,
      workMs: Math.round(performance.now() - began),
      status,
      errorCondition: error?.condition ?? null,
      endedAt: new Date(),
    };
  };
  try {
    const speech = await spoken(deps, request, { metrics, admission }, withParentSpan(call, span));
    await recordSpeech(deps.store, end(), false);
    span.setAttributes({ ...speechAttributes(metrics), 'parley.request.id': requestId });
    span.end();
    return speech;
  } catch (error) {
    const coded = toGatewayError(error);
    // A request that is aborted here is still counted: its work is done.
    const costsNothing = metrics.isCharged && coded.condition !== 'CANCELLED';
    await recordSpeech(deps.store, end(coded), costsNothing).catch((err: unknown) =>
      deps.log.error({ err, speechId: metrics.id, requestId }, 'the end of speech could not be recorded'),
    );
    span.setAttributes({ ...speechAttributes(metrics), 'parley.request.id': requestId });
    span.end(coded.condition);
    throw error;
  }
}

async function spoken(
  deps: Deps,
  request: SpeakRequest,
  { metrics, admission }: { metrics: Metrics; admission: Admission },
  { caller, signal, traceparent }: Call,
): Promise<EncodedSpeech> {
  const input = requireSpeechInput(request.input, MAX_SPEAK_CHARACTERS, HINT);
  const format = toSupportedFormat(requireKnownFormat(request.responseFormat));
  const { speed = 1, model } = request;
  if (!(speed >= 0.25 && speed <= 4)) throw new GatewayError('VALIDATION_ERROR', 'speed must be from 0.25 to 4', { param: 'speed' });
  const { provider, voice } = await deps.providers.chooseVoice(request, caller, signal);
  [metrics.provider, metrics.inputCharacters] = [provider.name, countCharacters(input)];
  await chargeCharacters(deps.store.database.pool, metrics.workspaceId, metrics.inputCharacters, deps.limits.dailyCharacters);
  metrics.isCharged = true;
  const context = { caller, signal, traceparent, onProgress: () => undefined };
  const order = { input, voice: voice.id, model, language: '', speed, options: {} };
  return admission.run(() => synthesizeSpeech(deps.engines, provider, order, format, context), signal);
}
