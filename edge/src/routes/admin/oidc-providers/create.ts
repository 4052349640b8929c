import { uuidv7 } from '@parley/kit/ids/uuid';
import { z } from 'zod';
import { issuer } from '../../../config/oidc-fields.ts';
import { insertOidcProvider } from '../../../store/oidc-providers.ts';
import { type oidcProvider, toOidcProvider } from '../../../wire/oidc-provider.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { slug } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireValidRoleMappings, providerFields, listSlugsWithClientSecret } from './fields.ts';

/** The body to add a provider. */
export const createOidcProviderBody = z
  .object({
    slug: slug.meta({ description: 'Names it in paths; part of the redirect URI.' }),
    name: providerFields.name,
    issuer: issuer.meta({ description: 'https, except on loopback. It cannot be changed: people are known by it.' }),
    client_id: providerFields.client_id,
    client_secret: providerFields.client_secret.optional(),
    scopes: providerFields.scopes.default(['openid', 'profile', 'email']),
    group_claim: providerFields.group_claim.default(null),
    role_mappings: providerFields.role_mappings.default([]),
    allow_sign_up: providerFields.allow_sign_up.default(false),
    allowed_domains: providerFields.allowed_domains.default([]),
  })
  .meta({ id: 'NewOidcProvider' });

/** Adds a provider; it is not contacted yet. */
export async function createOidcProvider(
  { principal, body }: Input<undefined, undefined, z.output<typeof createOidcProviderBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof oidcProvider>>> {
  await requireValidRoleMappings(principal, body.role_mappings, deps);
  const id = uuidv7();
  const secret = body.client_secret ?? null;
  const provider = {
    ...{ id, slug: body.slug, name: body.name, issuer: body.issuer, clientId: body.client_id, scopes: body.scopes },
    clientSecret: secret === null ? null : Uint8Array.from(deps.identity.secrets.seal(id, secret)),
    groupClaim: body.group_claim,
    roleMappings: body.role_mappings,
    allowsSignUp: body.allow_sign_up,
    allowedDomains: body.allowed_domains,
  };
  const details = { slug: body.slug, issuer: body.issuer, client_id: body.client_id, allow_sign_up: body.allow_sign_up };
  const audit = toAuditEntry(principal, { action: 'oidc_provider.create', targetId: id, details });
  const stored = await insertOidcProvider(deps.db, provider, deps.identity.oidc.environmentSlugs, audit);
  return { body: toOidcProvider(stored, listSlugsWithClientSecret(deps)) };
}
