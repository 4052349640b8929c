import { GatewayError } from '@parley/protos/errors';
import {
  findAndLockIdentity,
  insertOidcIdentity,
  insertOidcUser,
  type OidcSubject,
  recordIdentitySignIn,
} from '../../store/oidc-identities.ts';
import { type StoredOidcProvider } from '../../store/oidc-providers.ts';
import { applyGrantedRoles, type RoleChange } from '../../store/oidc-roles.ts';
import { type DatabaseOrTransaction } from '../../store/sessions.ts';
import { type OidcClaims, toDisplayName, findEmail, listGroups, canSignUp, findVerifiedEmail } from './claims.ts';
import { mapGroupsToRoles } from './map-groups-to-roles.ts';

/** The user who signs in, and what the sign-in changed. */
export interface SubjectSignInResult {
  userId: string;
  /** True when the user was created by this sign-in. */
  isNew: boolean;
  roleChange: RoleChange | undefined;
}

/** The verified claims of a provider. */
type Proof = { provider: StoredOidcProvider; claims: OidcClaims; issuer: string };

/**
 * Finds the user by issuer and subject only; creates one when the provider allows sign-up. Roles that the provider's mappings cover are set
 * from the user's groups.
 * @throws GatewayError OIDC_REFUSED
 */
export async function signInSubject(tx: DatabaseOrTransaction, proof: Proof): Promise<SubjectSignInResult> {
  const { provider, claims } = proof;
  const subject = toSubject(proof);
  const known = await findAndLockIdentity(tx, subject);
  if (known && known.status !== 'active') throw new GatewayError('OIDC_REFUSED', 'this person may not sign in');
  if (known) await recordIdentitySignIn(tx, known.id, subject);
  const userId = known?.userId ?? (await signUp(tx, proof));
  const groups = provider.groupClaim === null ? [] : listGroups(claims, provider.groupClaim);
  return { userId, isNew: !known, roleChange: await applyGrantedRoles(tx, userId, mapGroupsToRoles(provider.roleMappings, groups)) };
}

/** Adds the identity to a signed-in user. @throws GatewayError OIDC_REFUSED when it belongs to another user */
export async function linkSubject(tx: DatabaseOrTransaction, userId: string, proof: Proof): Promise<void> {
  const subject = toSubject(proof);
  const known = await findAndLockIdentity(tx, subject);
  if (!known) await insertOidcIdentity(tx, userId, subject);
  else if (known.userId !== userId) throw new GatewayError('OIDC_REFUSED', 'another person signs in with this identity');
}

async function signUp(tx: DatabaseOrTransaction, proof: Proof): Promise<string> {
  const { provider, claims } = proof;
  // An unverified email does not prove identity.
  const email = findVerifiedEmail(claims);
  if (!provider.allowsSignUp || !canSignUp(provider.allowedDomains, email)) {
    throw new GatewayError('OIDC_REFUSED', 'this person has no account here');
  }
  const userId = await insertOidcUser(tx, toDisplayName(claims), email);
  await insertOidcIdentity(tx, userId, toSubject(proof));
  return userId;
}

function toSubject({ provider, claims, issuer }: Proof): OidcSubject {
  return { providerId: provider.id, issuer, subject: claims.sub, email: findEmail(claims) };
}
