import { type z } from 'zod';
import { listOidcIdentities as find } from '../../../store/oidc-identities.ts';
import { type oidcIdentity, toOidcIdentity } from '../../../wire/oidc-identity.ts';
import { type RouteDeps } from '../../deps.ts';
import { wholeListHeaders } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';

/** Returns the identities with which the signed-in person can sign in at providers. */
export async function listIdentities({ principal }: Input, { db }: RouteDeps): Promise<Reply<z.input<typeof oidcIdentity>[]>> {
  const rows = await find(db, requireSession(principal).userId);
  return { body: rows.map(toOidcIdentity), headers: wholeListHeaders('/me/v1/identities', rows.length) };
}
