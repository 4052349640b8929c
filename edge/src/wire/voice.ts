import { type Voice } from '@parley/protos/audio/v1/audio';
import { z } from 'zod';
import { oneOf } from './one-of.ts';

/** What a voice sounds like. */
export const GENDERS = ['female', 'male', 'neutral'] as const;

/** A voice of a speech provider. */
export const voice = z
  .object({
    id: z.string(),
    name: z.string(),
    provider: z.string(),
    language: z.string(),
    dialect: z.string(),
    gender: z.enum(GENDERS),
    sample_rate: z.int().meta({ description: 'In hertz.' }),
  })
  .meta({ id: 'Voice' });

/** The wire form of a voice. */
export function toVoice(from: Voice): z.input<typeof voice> {
  return {
    id: from.id,
    name: from.name,
    provider: from.provider,
    language: from.language,
    dialect: from.dialect,
    gender: oneOf(GENDERS, from.gender, 'neutral'),
    sample_rate: from.sampleRate,
  };
}
