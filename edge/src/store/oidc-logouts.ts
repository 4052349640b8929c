import { GatewayError } from '@parley/protos/errors';
import { hash } from 'node:crypto';
import { toDigestBytes } from './digest-bytes.ts';
import { lockSubject } from './oidc-identities.ts';
import { type DatabaseOrTransaction } from './sessions.ts';

/** A session at a provider, or with only a subject all sessions of a user there. */
interface AtProvider {
  providerId: string;
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
  /** When the ID token or logout token was issued. */
  issuedAt: Date;
}

/** A session at a provider that a sign-in refers to. */
export type ProviderSession = AtProvider & { subject: string };

/** A logout of a provider to store. */
export type NewProviderLogout = AtProvider & {
  /** Id of the logout token. */
  jti: string;
  /** Until when the token could be accepted again. */
  expiresAt: Date;
};

/** A session that was revoked by a logout. */
export interface RevokedSession {
  id: string;
  userId: string;
}

/**
 * Revokes the sessions that a logout names and returns them; undefined when its token was used before. The logout is stored, so that
 * concurrent sign-ins find it.
 */
export async function applyProviderLogout(tx: DatabaseOrTransaction, logout: NewProviderLogout): Promise<RevokedSession[] | undefined> {
  await lock(tx, logout);
  const { providerId, jti, issuer: _known, subject = null, sid = null, ...times } = logout;
  const digest = toDigestBytes(hash('sha256', JSON.stringify([providerId, jti]), 'base64'));
  const { count } = await tx.oidcLogout.createMany({ data: [{ digest, providerId, subject, sid, ...times }], skipDuplicates: true });
  if (count === 0) return undefined;
  const named = { ...(subject !== null && { oidcSubject: subject }), ...(sid !== null && { oidcSid: sid }) };
  return tx.session.updateManyAndReturn({
    where: { providerId, revokedAt: null, ...named },
    data: { revokedAt: new Date() },
    select: { id: true, userId: true },
  });
}

/**
 * Rejects a sign-in whose session at the provider has ended meanwhile, because the logout arrived first. A logout without `sid` applies to
 * sign-ins up to its second.
 * @throws GatewayError OIDC_REFUSED
 */
export async function requireNotLoggedOut(tx: DatabaseOrTransaction, session: ProviderSession): Promise<void> {
  await lock(tx, session);
  const { providerId, subject, sid, issuedAt } = session;
  const ofSession = sid === undefined ? [] : [{ sid, OR: [{ subject }, { subject: null }] }];
  const ofPerson = { subject, sid: null, issuedAt: { gte: issuedAt } };
  const found = await tx.oidcLogout.findFirst({ where: { providerId, OR: [...ofSession, ofPerson] }, select: { digest: true } });
  if (found) throw new GatewayError('OIDC_REFUSED', 'the sign-in has ended at the provider; begin again');
}

/** Serialises the sign-ins and logouts of a subject and of a session at the provider; always locks in this order. */
async function lock(tx: DatabaseOrTransaction, { issuer, subject, sid }: AtProvider): Promise<void> {
  if (subject !== undefined) await lockSubject(tx, issuer, subject);
  if (sid !== undefined) await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${JSON.stringify([issuer, 'sid', sid])}, 0))`;
}
