import { z } from 'zod';
import { toReturnPath } from '../../../../identity/oidc/return-path.ts';
import { type slugParams } from '../../../admin/fields.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Input, type Reply } from '../../../route.ts';
import { requireSession } from '../../require-session.ts';
import { requireChangeableFactors } from '../../second-factors/change-factors.ts';
import { DEFAULT_RETURN_PATH, toRedirectUri, returnTo } from '../../sign-in/oidc/fields.ts';

/** The body to link an identity: the path to return to afterwards. */
export const linkIdentityBody = z.object({ return_to: returnTo }).meta({ id: 'NewIdentity' });

/** The URL that the browser must open next. */
export const identityLink = z.object({ url: z.string() }).meta({ id: 'IdentityLink' });

/** Starts to link an identity at a provider to the signed-in person; returns the URL that the browser must open. */
export async function linkIdentity(
  { req, principal, params, body }: Input<z.output<typeof slugParams>, undefined, z.output<typeof linkIdentityBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof identityLink>>> {
  const session = requireSession(principal);
  const { userId, sessionId } = session;
  // Another way to sign in is equivalent to another factor, so an unattended session must not suffice.
  await requireChangeableFactors(deps.db, session);
  const redirectUri = toRedirectUri(req, deps, params.slug);
  const destination = { redirectUri, returnTo: toReturnPath(body.return_to ?? DEFAULT_RETURN_PATH), link: { userId, sessionId } };
  const { url, cookie } = await deps.identity.oidc.begin(req, params.slug, destination);
  return { body: { url }, headers: { 'set-cookie': cookie, 'cache-control': 'no-store' } };
}
