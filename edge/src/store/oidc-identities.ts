import { uuidv7 } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type AuditEntry, auditStatement } from './audit-log.ts';
import { type Database, runQuery } from './client.ts';
import { type DatabaseOrTransaction } from './sessions.ts';

/** An identity of a user at a provider. */
export interface StoredOidcIdentity {
  id: string;
  providerSlug: string;
  providerName: string;
  issuer: string;
  subject: string;
  email: string | null;
  createdAt: Date;
  lastSignInAt: Date | null;
}

/** An identity as the claims of a provider state it. */
export interface OidcSubject {
  providerId: string;
  issuer: string;
  subject: string;
  /** As the provider reports it, verified or not. */
  email: string | null;
}

/**
 * Returns the identity with an issuer and a subject, and the id and status of its user; null for an unknown one. Locks the subject until
 * the transaction ends.
 */
export async function findAndLockIdentity(
  tx: DatabaseOrTransaction,
  { issuer, subject }: OidcSubject,
): Promise<{ id: string; userId: string; status: string } | null> {
  await lockSubject(tx, issuer, subject);
  const row = await tx.oidcIdentity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    select: { id: true, userId: true, user: { select: { status: true } } },
  });
  return row && { id: row.id, userId: row.userId, status: row.user.status };
}

/** Serialises the sign-ins and logouts of one subject until the transaction ends. */
export async function lockSubject(tx: DatabaseOrTransaction, issuer: string, subject: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${JSON.stringify([issuer, subject])}, 0))`;
}

/** Records a sign-in: provider, email and time. */
export async function recordIdentitySignIn(tx: DatabaseOrTransaction, id: string, { providerId, email }: OidcSubject): Promise<void> {
  await tx.oidcIdentity.update({ where: { id }, data: { providerId, email, lastSignInAt: new Date() } });
}

/** Links an identity to a user; returns its id. */
export async function insertOidcIdentity(
  tx: DatabaseOrTransaction,
  userId: string,
  { providerId, issuer, subject, email }: OidcSubject,
): Promise<string> {
  const id = uuidv7();
  await tx.oidcIdentity.create({ data: { id, userId, providerId, issuer, subject, email, lastSignInAt: new Date() } });
  return id;
}

/** Creates a user, without the email when another user has it; returns the id. */
export async function insertOidcUser(tx: DatabaseOrTransaction, displayName: string, email: string | null): Promise<string> {
  const id = uuidv7();
  const { count } = await tx.user.createMany({ data: [{ id, displayName, email }], skipDuplicates: true });
  if (count === 0) await tx.user.create({ data: { id, displayName } });
  return id;
}

/** Returns the identities of a user, oldest first. */
export async function listOidcIdentities(db: Database, userId: string): Promise<StoredOidcIdentity[]> {
  const include = { provider: { select: { slug: true, name: true } } } as const;
  const rows = await runQuery(db.oidcIdentity.findMany({ where: { userId }, include, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }));
  return rows.map(({ provider, ...row }) => ({ ...row, providerSlug: provider.slug, providerName: provider.name }));
}

/**
 * Removes an identity of a user.
 * @throws GatewayError NOT_FOUND, or VALIDATION_ERROR when it is the only way to sign in
 */
export async function deleteOidcIdentity(db: Database, userId: string, id: string, audit: AuditEntry): Promise<void> {
  await runQuery(
    db.$transaction(async (tx) => {
      // Locks the user, so that two concurrent deletions cannot remove the last two ways to sign in.
      await tx.$executeRaw`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR UPDATE`;
      const { count } = await tx.oidcIdentity.deleteMany({ where: { id, userId } });
      if (count === 0) throw new GatewayError('NOT_FOUND', 'no such identity', { param: 'id' });
      if (!(await hasAnotherWayIn(tx, userId))) {
        throw new GatewayError('VALIDATION_ERROR', 'it is the only way in that is left', { param: 'id' });
      }
      await auditStatement(tx, audit);
    }),
  );
}

async function hasAnotherWayIn(tx: DatabaseOrTransaction, userId: string): Promise<boolean> {
  const user = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      passwordHash: true,
      email: true,
      passkeys: { select: { id: true }, take: 1 },
      oidcIdentities: { select: { id: true }, where: { provider: { status: 'active' } }, take: 1 },
    },
  });
  const hasPassword = user.passwordHash !== null && user.email !== null;
  return hasPassword || user.passkeys.length > 0 || user.oidcIdentities.length > 0;
}
