import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { findUser } from '../../../store/users.ts';
import { toUser, type user } from '../../../wire/admin.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams } from '../fields.ts';

/** Returns a user. @throws GatewayError NOT_FOUND */
export async function getUser({ params }: Input<z.output<typeof idParams>>, { db }: RouteDeps): Promise<Reply<z.input<typeof user>>> {
  const found = await findUser(db, params.id);
  if (!found) throw new GatewayError('NOT_FOUND', 'no such user', { param: 'id' });
  return { body: toUser(found) };
}
