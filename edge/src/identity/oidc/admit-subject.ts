import { GatewayError } from '@parley/protos/errors';
import { type StoredOidcProvider } from '../../store/oidc-providers.ts';
import { findSubject, insertIdentity, insertPerson, type Subject, recordIdentitySignIn } from '../../store/oidc-identities.ts';
import { applyRoles, type RoleChange } from '../../store/oidc-roles.ts';
import { type Writer } from '../../store/sessions.ts';
import { type Claims, displayNameOf, emailOf, groupsOf, maySignUp, verifiedEmailOf } from './claims.ts';
import { grantedRoles } from './granted-roles.ts';

/** The user who signs in, and what the sign-in changed. */
export interface AdmittedPerson {
  userId: string;
  /** True when the user was created by this sign-in. */
  isNew: boolean;
  roles: RoleChange | undefined;
}

/** The verified claims of a provider. */
type Proof = { provider: StoredOidcProvider; claims: Claims; issuer: string };

/**
 * Finds the user by issuer and subject only; creates one when the provider allows sign-up. Roles that the provider's mappings cover are set
 * from the user's groups.
 * @throws GatewayError OIDC_REFUSED
 */
export async function signInSubject(tx: Writer, proof: Proof): Promise<AdmittedPerson> {
  const { provider, claims } = proof;
  const subject = toSubject(proof);
  const known = await findSubject(tx, subject);
  if (known && known.status !== 'active') throw new GatewayError('OIDC_REFUSED', 'this person may not sign in');
  if (known) await recordIdentitySignIn(tx, known.id, subject);
  const userId = known?.userId ?? (await signUp(tx, proof));
  const groups = provider.groupClaim === null ? [] : groupsOf(claims, provider.groupClaim);
  return { userId, isNew: !known, roles: await applyRoles(tx, userId, grantedRoles(provider.roleMappings, groups)) };
}

/** Adds the identity to a signed-in user. @throws GatewayError OIDC_REFUSED when it belongs to another user */
export async function linkSubject(tx: Writer, userId: string, proof: Proof): Promise<void> {
  const subject = toSubject(proof);
  const known = await findSubject(tx, subject);
  if (!known) await insertIdentity(tx, userId, subject);
  else if (known.userId !== userId) throw new GatewayError('OIDC_REFUSED', 'another person signs in with this identity');
}

async function signUp(tx: Writer, proof: Proof): Promise<string> {
  const { provider, claims } = proof;
  // An unverified email does not prove identity.
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
