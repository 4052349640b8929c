import { type EdgeConfig } from '../../config.ts';
import { type Database } from '../../store/client.ts';
import { listActiveOidcProviders, type SignInProvider } from '../../store/oidc-providers.ts';

/** Returns the active providers, by slug, for the sign-in page. */
export function listSignInProviders(db: Database, config: Pick<EdgeConfig, 'oidcProviders'>): Promise<SignInProvider[]> {
  return listActiveOidcProviders(
    db,
    config.oidcProviders.map(({ slug }) => slug),
  );
}
