import type { Call } from '@parley/kit/rpc/call';
import type { SpeakRequest, SpeakResponse } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import type { Deps } from '../deps.ts';
import { workspaceOf } from '../domain/access.ts';
import { MAX_SPEAK_CHARACTERS, charactersOf, checkInput } from '../domain/input.ts';
import { exactFormat } from '../speech/formats.ts';
import { makeSpeech } from '../speech/make-speech.ts';
import { charge } from '../store/quota.ts';

const FRAME = 65_536;
const HINT = '; longer texts are for POST /v1/audio/generations';

/**
 * Speaks a short text at once (spec §4.6). The audio is whole before the head is sent, so that a failure is a real status.
 * @throws VALIDATION_ERROR, VOICE_NOT_FOUND, AUDIO_PROVIDER_NOT_FOUND, AUDIO_QUOTA_EXCEEDED, RATE_LIMIT_EXCEEDED while too many are spoken, and what the provider refuses with
 */
export async function* speak(deps: Deps, request: SpeakRequest, { caller, signal }: Call): AsyncGenerator<SpeakResponse> {
  const workspaceId = workspaceOf(caller);
  const input = checkInput(request.input, MAX_SPEAK_CHARACTERS, HINT);
  const format = exactFormat(request.responseFormat);
  const { speed = 1, model } = request;
  if (!(speed >= 0.25 && speed <= 4)) throw new GatewayError('VALIDATION_ERROR', 'speed must be from 0.25 to 4', { param: 'speed' });
  const admission = deps.speaking.enter(workspaceId);
  try {
    const { provider, voice } = await deps.providers.choose(request, caller, signal);
    await charge(deps.store.database.pool, workspaceId, charactersOf(input), deps.limits.dailyCharacters);
    const context = { caller, signal, onProgress: () => undefined };
    const order = { input, voice: voice.id, model, speed, options: {} };
    const speech = await admission.run(() => makeSpeech(deps.engines, provider, order, format, context), signal);
    yield { frame: { $case: 'head', value: { mimeType: speech.mimeType, sizeBytes: speech.sizeBytes } } };
    for (const chunk of speech.chunks) {
      for (let at = 0; at < chunk.length; at += FRAME) yield { frame: { $case: 'chunk', value: chunk.subarray(at, at + FRAME) } };
    }
  } finally {
    admission[Symbol.dispose]();
  }
}
