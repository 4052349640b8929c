import { type z } from 'zod';
import { type jwks } from '../../../wire/admin-token.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';

/** Five minutes: a new key is published a day before it signs. */
const CACHE = 'public, max-age=300';

/** Returns the public keys that verify tokens of the control plane. */
export async function getJwks(_input: Input, { identity }: RouteDeps): Promise<Reply<z.input<typeof jwks>>> {
  return { body: { keys: await identity.signingKeys.listPublishedKeys() }, headers: { 'cache-control': CACHE } };
}
