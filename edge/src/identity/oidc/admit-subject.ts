import { GatewayError } from '@parley/protos/errors';
import { type StoredOidcProvider } from '../../store/oidc-providers.ts';
import { findSubject, insertIdentity, insertPerson, type Subject, touchIdentity } from '../../store/oidc-identities.ts';
import { applyRoles, type RoleChange } from '../../store/oidc-roles.ts';
import { type Writer } from '../../store/sessions.ts';
import { type Claims, displayNameOf, emailOf, groupsOf, maySignUp, verifiedEmailOf } from './claims.ts';
import { grantedRoles } from './granted-roles.ts';

/** Who signs in, and what that changed. */
export interface AdmittedPerson {
  userId: string;
  /** The person was not known before. */
  isNew: boolean;
  roles: RoleChange | undefined;
}

/** What a provider proved. */
type Proof = { provider: StoredOidcProvider; claims: Claims; issuer: string };

/**
 * Finds the person by issuer and subject, and by nothing else; a new one only where the provider allows sign-up. The roles that the provider decides about
 * become those of its groups.
 * @throws GatewayError OIDC_REFUSED
 */
export async function admitSubject(tx: Writer, proof: Proof): Promise<AdmittedPerson> {
  const { provider, claims } = proof;
  const subject = toSubject(proof);
  const known = await findSubject(tx, subject);
  if (known && known.status !== 'active') throw new GatewayError('OIDC_REFUSED', 'this person may not sign in');
  if (known) await touchIdentity(tx, known.id, subject);
  const userId = known?.userId ?? (await signUp(tx, proof));
  const groups = provider.groupClaim === null ? [] : groupsOf(claims, provider.groupClaim);
  return { userId, isNew: !known, roles: await applyRoles(tx, userId, grantedRoles(provider.roleMappings, groups)) };
}

/** Adds the identity to a signed-in person. @throws GatewayError OIDC_REFUSED where another person has it */
export async function linkSubject(tx: Writer, userId: string, proof: Proof): Promise<void> {
  const subject = toSubject(proof);
  const known = await findSubject(tx, subject);
  if (!known) await insertIdentity(tx, userId, subject);
  else if (known.userId !== userId) throw new GatewayError('OIDC_REFUSED', 'another person signs in with this identity');
}

async function signUp(tx: Writer, proof: Proof): Promise<string> {
  const { provider, claims } = proof;
  // An unverified email is no proof of identity.
  const email = verifiedEmailOf(claims);
  if (!provider.allowsSignUp || !maySignUp(provider.allowedDomains, email)) {
    throw new GatewayError('OIDC_REFUSED', 'this person has no account here');
  }
  const userId = await insertPerson(tx, displayNameOf(claims), email);
  await insertIdentity(tx, userId, toSubject(proof));
  return userId;
}

function toSubject({ provider, claims, issuer }: Proof): Subject {
  return { providerId: provider.id, issuer, subject: claims.sub, email: emailOf(claims) };
}
