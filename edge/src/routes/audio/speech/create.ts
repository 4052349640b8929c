import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type ServerResponse } from 'node:http';
import { z } from 'zod';
import { getResponseContext } from '../../../middleware/request-context.ts';
import { type RouteDeps } from '../../deps.ts';
import { RESPONSE_SENT, type Input } from '../../route.ts';
import { opaqueName, RESPONSE_FORMATS, speechTextField } from '../fields.ts';
import { sendAudio } from './send-audio.ts';

const MAX_INPUT = 4_096;
/** The default format of OpenAI's API. */
const DEFAULT_FORMAT = 'mp3';
/** Longest speech request, in milliseconds, with the time in which the client reads. */
const SPEECH_MS = 300_000;

/** A custom voice, as newer OpenAI clients send it. */
const customVoice = z.object({ id: opaqueName });

/** The body of POST /v1/audio/speech, as in OpenAI's API; null means absent. */
export const createSpeechBody = z
  .object({
    model: opaqueName.nullish().meta({ description: 'A model name of the provider.' }),
    input: speechTextField(MAX_INPUT, '; POST /v1/audio/generations takes longer ones'),
    voice: z.union([opaqueName, customVoice], { error: 'must be the name of a voice, or an object with its id' }),
    response_format: z
      .enum(RESPONSE_FORMATS)
      .nullish()
      .meta({ default: DEFAULT_FORMAT, description: '`aac` becomes WAV, as may any format of a provider.' }),
    speed: z.number().min(0.25).max(4).nullish().meta({ default: 1 }),
    stream_format: z
      .string()
      .nullish()
      .meta({ enum: ['audio'] }),
  })
  .meta({ id: 'NewSpeech' });

/** Speaks a short text; sends the audio as it is generated. */
export async function createSpeech(
  { principal, body, reservation }: Input<undefined, undefined, z.output<typeof createSpeechBody>>,
  { clients, config }: RouteDeps,
  res: ServerResponse,
): Promise<typeof RESPONSE_SENT> {
  if ((body.stream_format ?? 'audio') !== 'audio') {
    throw new GatewayError('UNSUPPORTED_PARAMETER', 'stream_format must be audio', { param: 'stream_format' });
  }
  const request = {
    input: body.input,
    voice: typeof body.voice === 'string' ? body.voice : body.voice.id,
    model: body.model ?? '',
    responseFormat: body.response_format ?? DEFAULT_FORMAT,
    speed: body.speed ?? undefined,
    provider: '',
  };
  // From here on the audio service counts the request, whatever its result.
  getResponseContext(res).isCounted = true;
  const speak = (signal: AbortSignal) => clients.audio.speak(request, { caller: principal, signal, deadlineMs: SPEECH_MS });
  try {
    await sendAudio(res, speak, config.stalledClientMs, ({ durationMs }) => reservation.settle({ audio_ms: durationMs }));
  } catch (error) {
    // The service does not count requests that its own limit rejects.
    getResponseContext(res).isCounted = toGatewayError(error).condition !== 'RATE_LIMIT_EXCEEDED';
    throw error;
  }
  return RESPONSE_SENT;
}
