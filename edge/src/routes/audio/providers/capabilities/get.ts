import { type z } from 'zod';
import { type audioProviderCapabilities, toAudioProviderCapabilities } from '../../../../wire/audio-provider.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type providerParams } from '../../fields.ts';

/** Returns the limits and options of a speech provider, with the schema of its `provider_options`. */
export async function getAudioProviderCapabilities(
  { principal, params }: Input<z.output<typeof providerParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof audioProviderCapabilities>>> {
  return { body: toAudioProviderCapabilities(await clients.audio.getProvider(params, { caller: principal })) };
}
