import { type z } from 'zod';
import { type audioProvider, toAudioProvider } from '../../../wire/audio-provider.ts';
import { getLinkWriter } from '../../../wire/link-writer.ts';
import { type RouteDeps } from '../../deps.ts';
import { wholeListHeaders } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';

/** Returns the speech providers that the workspace may use. */
export async function listAudioProviders({ principal }: Input, { clients }: RouteDeps): Promise<Reply<z.input<typeof audioProvider>[]>> {
  const { providers } = await clients.audio.listProviders({}, { caller: principal });
  return {
    body: providers.map(toAudioProvider),
    headers: wholeListHeaders('/v1/audio/providers', providers.length, getLinkWriter(principal)),
  };
}
