import { GatewayError } from '@parley/protos/errors';
import { type AcquiredConnection } from '@parley/protos/routing/v1/routing';
import { type PcmAudio } from '../../domain/pcm-audio.ts';
import { splitText } from '../../domain/split-text.ts';
import { joinSpeech } from '../../speech/join-speech.ts';
import { readBoundedBody } from '../read-bounded-body.ts';
import { type SpeechContext, type SpeechRequest } from '../speech-provider.ts';
import { withRetries } from '../with-retries.ts';
import { callElevenLabs } from './call-elevenlabs.ts';
import { OPTIONS_SCHEMA, SPEED_RANGE } from './options.ts';
import { OUTPUT_SAMPLE_RATE_HZ } from './output-sample-rate.ts';

/** The API's default model. */
const DEFAULT_MODEL = 'eleven_multilingual_v2';

/** Models that OpenAI's clients send because the field is required; they select the default. */
const OPENAI_MODEL = /^(?:tts-1|gpt-)/;

/**
 * Maximum number of characters per request. Models accept 5,000 to 40,000 (https://elevenlabs.io/docs/models), the free plan 2,500 for any
 * model. A limit below all of them suits every account, and a failed attempt costs little.
 */
const PASSAGE = 2_400;

/** Models that accept the text before and after a passage, so that its tone fits; eleven_v3 rejects it. */
const TAKES_CONTEXT = /_v[12](?:_5)?$/;
/** Number of characters of the text before and after that are sent. */
const CONTEXT = 300;

/** Models that accept a language code; the others reject it. */
const TAKES_LANGUAGE = /_v2_5$|_v3$/;

/** Maximum size of a passage's audio in bytes: several minutes of 48,000 bytes per second. */
const MAX_BYTES = 64 * 1_024 ** 2;

/**
 * Synthesizes a text, passage by passage.
 * @throws VALIDATION_ERROR for a speed that ElevenLabs does not support; coded errors; the signal's reason
 */
export async function speak(
  connection: AcquiredConnection,
  request: SpeechRequest,
  { signal, onProgress }: SpeechContext,
): Promise<PcmAudio> {
  const { input, voice } = request;
  const settings = toSettings(request, toModel(request.model, connection.models));
  const passages = splitText(input, PASSAGE);
  const path = `/v1/text-to-speech/${encodeURIComponent(voice)}/stream?output_format=pcm_${OUTPUT_SAMPLE_RATE_HZ}`;
  const parts: PcmAudio[] = [];
  let spoken = 0;
  for (const [at, text] of passages.entries()) {
    const body = { text, ...settings, ...(TAKES_CONTEXT.test(settings.model_id) && toContext(passages, at)) };
    const pcm = await withRetries(signal, async (attempt) => readPcm(await callElevenLabs(connection, path, attempt, body)));
    parts.push({ pcm: [pcm], sampleRate: OUTPUT_SAMPLE_RATE_HZ });
    spoken += text.length;
    onProgress(spoken / input.length);
  }
  return joinSpeech(parts);
}

function toModel(asked: string, [first = DEFAULT_MODEL]: readonly string[]): string {
  return asked === '' || OPENAI_MODEL.test(asked) ? first : asked;
}

/** Returns the settings that are sent with every passage. */
function toSettings({ options, speed: asked, language }: SpeechRequest, model: string) {
  const {
    language_code: code = languageCode(language, model),
    seed,
    apply_text_normalization: normalization,
    ...voice
  } = OPTIONS_SCHEMA.parse(options);
  const speed = voice.speed ?? asked;
  if (speed < SPEED_RANGE.min || speed > SPEED_RANGE.max) {
    const message = `speed must be from ${SPEED_RANGE.min} to ${SPEED_RANGE.max} with this provider`;
    throw new GatewayError('VALIDATION_ERROR', message, { param: 'speed' });
  }
  // Settings in a request replace those that the account has stored for the voice, so only requested ones are sent.
  const settings = { ...voice, ...(speed !== 1 && { speed }) };
  return {
    model_id: model,
    ...(Object.keys(settings).length > 0 && { voice_settings: settings }),
    ...(code !== undefined && { language_code: code }),
    ...(seed !== undefined && { seed }),
    ...(normalization !== undefined && { apply_text_normalization: normalization }),
  };
}

/** Returns the language of a tag such as `en-GB`, for models that accept one. */
function languageCode(tag: string, model: string): string | undefined {
  return tag !== '' && TAKES_LANGUAGE.test(model) ? tag.split('-')[0]?.toLowerCase() : undefined;
}

function toContext(passages: readonly string[], at: number) {
  const [before, after] = [passages[at - 1], passages[at + 1]];
  return {
    ...(before !== undefined && { previous_text: before.slice(-CONTEXT) }),
    ...(after !== undefined && { next_text: after.slice(0, CONTEXT) }),
  };
}

/** Reads raw samples. They contain nothing that could be verified, so other content is detected by its type. @throws PROVIDER_BAD_ANSWER */
async function readPcm(response: Response): Promise<Buffer> {
  const type = response.headers.get('content-type') ?? '';
  if (!/^(?:audio\/|application\/octet-stream)/i.test(type)) {
    await response.body?.cancel();
    throw new GatewayError('PROVIDER_BAD_ANSWER', 'ElevenLabs sent something that is no audio');
  }
  const pcm = await readBoundedBody(response, MAX_BYTES);
  if (!pcm) throw new GatewayError('PROVIDER_BAD_ANSWER', 'ElevenLabs sent more than a text can be');
  if (pcm.length < 2) throw new GatewayError('PROVIDER_BAD_ANSWER', 'ElevenLabs sent no audio');
  return pcm.subarray(0, pcm.length - (pcm.length % 2));
}
