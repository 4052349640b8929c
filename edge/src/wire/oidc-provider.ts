import { z } from 'zod';
import { roleMapping } from '../config/oidc-fields.ts';
import { type StoredOidcProvider } from '../store/oidc-providers.ts';
import { activeStatus } from './admin.ts';
import { toTimestamp } from './time.ts';

/** An OpenID Connect provider in responses, without its client secret. */
export const oidcProvider = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    issuer: z.string(),
    client_id: z.string(),
    has_client_secret: z.boolean().meta({ description: 'False for a public client.' }),
    scopes: z.array(z.string()),
    group_claim: z.string().nullable(),
    role_mappings: z.array(roleMapping),
    allow_sign_up: z.boolean(),
    allowed_domains: z.array(z.string()),
    status: activeStatus,
    is_from_environment: z.boolean().meta({ description: 'Set by `PARLEY_OIDC_…`; not changed here.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'OidcProvider' });

/** Converts a provider to its JSON form; `withSecret` lists the slugs of the environment's providers that have a client secret. */
export function toOidcProvider(provider: StoredOidcProvider, withSecret: readonly string[]): z.input<typeof oidcProvider> {
  const { id, slug, name, issuer, clientId, clientSecret, scopes, groupClaim, roleMappings, isFromEnvironment } = provider;
  return {
    ...{ id, slug, name, issuer, scopes, client_id: clientId, group_claim: groupClaim, role_mappings: roleMappings },
    has_client_secret: isFromEnvironment ? withSecret.includes(slug) : clientSecret !== null,
    allow_sign_up: provider.allowsSignUp,
    allowed_domains: provider.allowedDomains,
    status: provider.status as z.input<typeof activeStatus>,
    is_from_environment: isFromEnvironment,
    created_at: toTimestamp(provider.createdAt),
  };
}
