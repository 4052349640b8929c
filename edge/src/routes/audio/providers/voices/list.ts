import { z } from 'zod';
import { getLinkWriter } from '../../../../wire/link-writer.ts';
import { VOICE_GENDERS, toVoice, type voice } from '../../../../wire/voice.ts';
import { type RouteDeps } from '../../../deps.ts';
import { wholeListHeaders } from '../../../paging.ts';
import { type Input, type Reply } from '../../../route.ts';
import { opaqueName, type providerParams } from '../../fields.ts';

/** Query parameters of the list of voices. */
export const voicesQuery = z.object({
  dialect: opaqueName.optional().meta({ description: 'Only voices of this language.' }),
  gender: z.enum(VOICE_GENDERS).optional(),
});

/** Returns the voices of a provider. */
export async function listVoices(
  { principal, params, query }: Input<z.output<typeof providerParams>, z.output<typeof voicesQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof voice>[]>> {
  const request = { provider: params.provider, dialect: query.dialect ?? '', gender: query.gender ?? '' };
  const { voices } = await clients.audio.listVoices(request, { caller: principal });
  const path = `/v1/audio/providers/${params.provider}/voices`;
  return { body: voices.map(toVoice), headers: wholeListHeaders(path, voices.length, getLinkWriter(principal), query) };
}
