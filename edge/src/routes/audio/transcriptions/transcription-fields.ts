import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { validate } from '../../../middleware/validate.ts';
import { uuid } from '../../fields.ts';
import { fileField, MAX_AUDIO_BYTES, toSizeLimitText } from '../../uploads.ts';

const language = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be an ISO 639-1 code such as en')
  .meta({ description: 'The language of the recording; detected by the engine when it is absent.' });

/** Values of `timestamp_granularities[]`; https://platform.openai.com/docs/api-reference/audio/createTranscription */
const GRANULARITIES = ['segment', 'word'] as const;

const isGranularity = (one: string) => GRANULARITIES.some((known) => known === one);

/** A form repeats the field for several values, which `MultipartForm` joins with commas. */
const granularities = z
  .string()
  .refine((value) => value.split(',').every(isGranularity), 'must be segment or word, or both')
  .meta({ description: 'With `verbose_json`: `segment`, `word`, or the field twice for both. Default: `segment`.' });

const audioFields = z.object({
  language: language.optional(),
  response_format: z
    .enum(['json', 'text', 'verbose_json', 'srt', 'vtt'])
    .default('json')
    .meta({ description: '`verbose_json`, `srt` and `vtt` have times, as far as the engine provides them.' }),
  'timestamp_granularities[]': granularities.optional(),
  conversation_id: uuid.optional().meta({ description: 'The conversation that the recording belongs to.' }),
});

/** The parsed fields of a transcription form. */
export type TranscriptionFields = z.output<typeof audioFields>;

/** Response formats without timestamps. */
const PLAIN_FORMATS: ReadonlySet<string> = new Set<TranscriptionFields['response_format']>(['json', 'text']);

/** True when the requested format has timestamps. */
export function hasTimestamps({ response_format: format }: TranscriptionFields): boolean {
  return !PLAIN_FORMATS.has(format);
}

/** Schema of a transcription form, for the API description; the handler reads the form as it arrives. */
export const transcriptionForm = audioFields.extend({ file: fileField(toSizeLimitText(MAX_AUDIO_BYTES)) }).meta({ id: 'AudioUpload' });

/** The form fields that are read; others, such as OpenAI's `model`, are ignored. */
export const TRANSCRIPTION_FIELD_NAMES = [...Object.keys(audioFields.shape), 'stream'];

/**
 * Parses the fields of a form; an empty one counts as absent.
 * @throws GatewayError VALIDATION_ERROR naming the field, or UNSUPPORTED_PARAMETER for `stream`
 */
export function parseTranscriptionFields(fields: ReadonlyMap<string, string>): TranscriptionFields {
  const given = Object.fromEntries([...fields].filter(([, value]) => value !== ''));
  // A client that expects a stream of events could not parse the plain answer.
  if (given['stream'] === 'true') throw new GatewayError('UNSUPPORTED_PARAMETER', 'stream is not supported', { param: 'stream' });
  return validate(audioFields, given, 'body');
}
