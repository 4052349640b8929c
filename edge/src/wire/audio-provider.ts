import { type Provider } from '@parley/protos/audio/v1/audio';
import { z } from 'zod';
import { toKnownValue } from './to-known-value.ts';

const KINDS = ['embedded', 'connection'] as const;

const fields = {
  name: z.string(),
  kind: z.enum(KINDS).meta({ description: 'Whether the provider belongs to the gateway or to a connection of the workspace.' }),
  available: z.boolean(),
  reason: z.string().optional().meta({ description: 'Why it is not available.' }),
  is_default: z.boolean().meta({ description: 'Used when a request names none.' }),
  languages: z.array(z.string()),
  response_formats: z.array(z.string()),
  voices: z.int().meta({ description: 'Number of voices.' }),
};

/** A text-to-speech provider in responses. */
export const audioProvider = z.object(fields).meta({ id: 'AudioProvider' });

/** A text-to-speech provider with its limits and options. */
export const audioProviderCapabilities = z
  .object({
    ...fields,
    max_input_characters: z.int(),
    supports_speed: z.boolean(),
    provider_options: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of `provider_options`.' }),
  })
  .meta({ id: 'AudioProviderCapabilities' });

/** Converts a speech provider to its JSON form. */
export function toAudioProvider(from: Provider): z.input<typeof audioProvider> {
  return {
    name: from.name,
    kind: toKnownValue(KINDS, from.kind, 'connection'),
    available: from.available,
    ...(!from.available && from.reason !== '' && { reason: from.reason }),
    is_default: from.isDefault,
    languages: from.languages,
    response_formats: from.responseFormats,
    voices: from.voices,
  };
}

/** Converts a speech provider to its JSON form with limits and options. */
export function toAudioProviderCapabilities(from: Provider): z.input<typeof audioProviderCapabilities> {
  return {
    ...toAudioProvider(from),
    max_input_characters: from.maxInputCharacters,
    supports_speed: from.supportsSpeed,
    provider_options: from.optionsSchema === '' ? {} : (JSON.parse(from.optionsSchema) as Record<string, unknown>),
  };
}
