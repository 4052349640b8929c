import { type Abilities } from '@parley/protos/audio/v1/audio';
import { type z } from 'zod';
import { type capabilityManifest, capabilityReason } from '../../wire/capabilities.ts';
import { toKnownValue } from '../../wire/to-known-value.ts';

type Audio = z.input<typeof capabilityManifest>['capabilities']['audio'];

/** Returns the audio capabilities; while the audio service does not answer, they are disabled without a reason. */
export function describeAudio(abilities: Abilities | undefined, has: (path: string) => boolean): Audio {
  const transcription = abilities?.transcription ?? false;
  const speech = abilities?.speech ?? false;
  return {
    transcription: {
      enabled: transcription,
      supported: has('/v1/audio/transcriptions'),
      endpoint: '/v1/audio/transcriptions',
      provider: (transcription && abilities?.transcriptionProvider) || null,
      // When the gateway has no engine, a connection is missing.
      ...(abilities &&
        !transcription && { reason: toKnownValue(capabilityReason.options, abilities.transcriptionReason, 'no_connected_account') }),
    },
    speech_generation: {
      enabled: speech,
      supported: has('/v1/audio/generations'),
      endpoint: '/v1/audio/generations',
      provider: (speech && abilities?.speechProvider) || null,
      ...(abilities && !speech && { reason: 'no_connected_account' as const }),
    },
  };
}
