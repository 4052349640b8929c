import { z } from 'zod';
import { toReturnPath } from '../../../../identity/oidc/return-path.ts';
import { type slugParams } from '../../../admin/fields.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Input, type Reply } from '../../../route.ts';
import { HOME, redirectUriOf, returnTo } from '../../sign-in/oidc/fields.ts';
import { assertMayChange } from '../../second-factors/change-factors.ts';
import { sessionOf } from '../../signed-in.ts';

/** Where to go when an identity is linked. */
export const newIdentity = z.object({ return_to: returnTo }).meta({ id: 'NewIdentity' });

/** Where a browser has to go. */
export const identityLink = z.object({ url: z.string() }).meta({ id: 'IdentityLink' });

/** Begins to link an identity at a provider to the signed-in person: answers where the browser has to go. */
export async function linkIdentity(
  { req, principal, params, body }: Input<z.output<typeof slugParams>, undefined, z.output<typeof newIdentity>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof identityLink>>> {
  const session = sessionOf(principal);
  const { userId, sessionId } = session;
  // Another way in is as good as another factor: a session that was left open does not suffice.
  await assertMayChange(deps.db, session);
  const redirectUri = redirectUriOf(req, deps, params.slug);
  const destination = { redirectUri, returnTo: toReturnPath(body.return_to ?? HOME), link: { userId, sessionId } };
  const { url, cookie } = await deps.identity.oidc.begin(req, params.slug, destination);
  return { body: { url }, headers: { 'set-cookie': cookie, 'cache-control': 'no-store' } };
}
