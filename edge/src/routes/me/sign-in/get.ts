import { type z } from 'zod';
import { listSignInProviders } from '../../../identity/oidc/sign-in-providers.ts';
import { canUsePasskeys } from '../../../identity/relying-party.ts';
import { hasOwner } from '../../../store/owners.ts';
import { type signInOptions } from '../../../wire/people.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';

/** Returns the sign-in methods for the sign-in page. */
export async function getSignIn({ req }: Input, { db, config }: RouteDeps): Promise<Reply<z.input<typeof signInOptions>>> {
  const [owned, providers] = await Promise.all([hasOwner(db), listSignInProviders(db, config)]);
  const body = {
    setup_open: !owned,
    methods: ['password' as const, ...(canUsePasskeys(req, config) ? (['passkey'] as const) : [])],
    providers: providers.map(({ slug, name }) => ({ slug, name })),
    sign_up_domains: [...new Set(providers.flatMap(({ signUpDomains }) => signUpDomains))],
  };
  return { body, headers: { 'cache-control': 'no-store' } };
}
