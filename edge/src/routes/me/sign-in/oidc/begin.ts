import { z } from 'zod';
import { toReturnPath } from '../../../../identity/oidc/return-path.ts';
import { type slugParams } from '../../../admin/fields.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Input, type Reply } from '../../../route.ts';
import { DEFAULT_RETURN_PATH, toRedirectUri, returnTo } from './fields.ts';
import { withErrorPage } from './with-error-page.ts';

/** Query parameters of the start of a sign-in. */
export const oidcSignInQuery = z.object({ return_to: returnTo });

/** Starts a sign-in and redirects the browser to the provider. */
export function beginOidcSignIn(
  { req, params, query }: Input<z.output<typeof slugParams>, z.output<typeof oidcSignInQuery>>,
  deps: RouteDeps,
): Promise<Reply<undefined>> {
  return withErrorPage(req, deps, async () => {
    const destination = {
      redirectUri: toRedirectUri(req, deps, params.slug),
      returnTo: toReturnPath(query.return_to ?? DEFAULT_RETURN_PATH),
    };
    const { url, cookie } = await deps.identity.oidc.begin(req, params.slug, destination);
    return { body: undefined, headers: { location: url, 'set-cookie': cookie, 'cache-control': 'no-store' } };
  });
}
