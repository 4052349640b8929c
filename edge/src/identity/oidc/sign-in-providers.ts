import { type EdgeConfig } from '../../config.ts';
import { type Database } from '../../store/client.ts';
import { listActiveOidcProviders, type SignInProvider } from '../../store/oidc-providers.ts';

/** The providers that people may sign in with, by slug; for the page where they choose. */
export function listSignInProviders(db: Database, config: Pick<EdgeConfig, 'oidcProviders'>): Promise<SignInProvider[]> {
  return listActiveOidcProviders(
    db,
    config.oidcProviders.map(({ slug }) => slug),
  );
}
