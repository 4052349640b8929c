import { z } from 'zod';

const share = z.number().min(0).max(1).optional();

/** The speeds that ElevenLabs accepts; the gateway's range is 0.25 to 4. */
export const SPEED_RANGE = { min: 0.7, max: 1.2 };

/** Schema of `provider_options`: https://elevenlabs.io/docs/api-reference/text-to-speech/convert */
export const OPTIONS_SCHEMA = z.strictObject({
  stability: share.describe('How even the voice is; less gives it more emotion.'),
  similarity_boost: share.describe('How closely it keeps to the original voice.'),
  style: share.describe('How much the style of the original is exaggerated.'),
  use_speaker_boost: z.boolean().optional().describe('More like the original speaker, at the cost of time.'),
  speed: z.number().min(SPEED_RANGE.min).max(SPEED_RANGE.max).optional().describe('How fast it speaks; 1 is the usual.'),
  language_code: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .optional()
    .describe(
      'Language of the text (ISO 639-1), for models that can be held to one. Default: the language of the job, where the model can.',
    ),
  seed: z.int().min(0).max(4_294_967_295).optional().describe('The same seed gives nearly the same audio.'),
  apply_text_normalization: z.enum(['auto', 'on', 'off']).optional().describe('Whether numbers and the like are spelled out first.'),
});
