import { type z } from 'zod';
import { runQuery } from '../../../store/client.ts';
import { listPasskeys as find } from '../../../store/passkeys.ts';
import { type passkey, toPasskey } from '../../../wire/passkey.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';

/** Returns all passkeys of the signed-in person, oldest first. */
export async function listPasskeys({ principal }: Input, { db }: RouteDeps): Promise<Reply<z.input<typeof passkey>[]>> {
  return { body: (await runQuery(find(db, requireSession(principal).userId))).map(toPasskey) };
}
