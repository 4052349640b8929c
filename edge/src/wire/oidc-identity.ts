import { z } from 'zod';
import { type StoredOidcIdentity } from '../store/oidc-identities.ts';
import { toTimestamp, toTimestampOrNull } from './time.ts';

/** An identity at a provider with which a user signs in. */
export const oidcIdentity = z
  .object({
    id: z.uuid(),
    provider: z.object({ slug: z.string(), name: z.string() }),
    issuer: z.string(),
    subject: z.string(),
    email: z.string().nullable().meta({ description: 'As the provider reports it; no user is looked up by it.' }),
    created_at: z.iso.datetime(),
    last_sign_in_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'OidcIdentity' });

/** Converts an identity to its JSON form. */
export function toOidcIdentity(identity: StoredOidcIdentity): z.input<typeof oidcIdentity> {
  const { id, providerSlug: slug, providerName: name, issuer, subject, email, createdAt, lastSignInAt } = identity;
  return {
    ...{ id, provider: { slug, name }, issuer, subject, email },
    created_at: toTimestamp(createdAt),
    last_sign_in_at: toTimestampOrNull(lastSignInAt),
  };
}
