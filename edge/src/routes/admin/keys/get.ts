import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { findKeyById } from '../../../store/keys.ts';
import { type apiKey, toApiKey } from '../../../wire/admin.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams } from '../fields.ts';

/** Returns an API key without its secret. @throws GatewayError NOT_FOUND, also for the hidden key of a person */
export async function getKey({ params }: Input<z.output<typeof idParams>>, { db }: RouteDeps): Promise<Reply<z.input<typeof apiKey>>> {
  const key = await findKeyById(db, params.id);
  if (!key || key.isPersonal) throw new GatewayError('NOT_FOUND', 'no such key', { param: 'id' });
  return { body: toApiKey(key) };
}
