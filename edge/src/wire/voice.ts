import { type Voice } from '@parley/protos/audio/v1/audio';
import { z } from 'zod';
import { toKnownValue } from './to-known-value.ts';

/** Values of the gender of a voice. */
export const VOICE_GENDERS = ['female', 'male', 'neutral'] as const;

/** A voice of a speech provider in responses. */
export const voice = z
  .object({
    id: z.string(),
    name: z.string(),
    provider: z.string(),
    language: z.string(),
    dialect: z.string(),
    gender: z.enum(VOICE_GENDERS),
    sample_rate: z.int().meta({ description: 'In hertz.' }),
  })
  .meta({ id: 'Voice' });

/** Converts a voice to its JSON form. */
export function toVoice(from: Voice): z.input<typeof voice> {
  return {
    id: from.id,
    name: from.name,
    provider: from.provider,
    language: from.language,
    dialect: from.dialect,
    gender: toKnownValue(VOICE_GENDERS, from.gender, 'neutral'),
    sample_rate: from.sampleRate,
  };
}
