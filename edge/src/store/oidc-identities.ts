import { uuidv7 } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type AuditEntry, auditStatement } from './audit-log.ts';
import { type Database, runQuery } from './client.ts';
import { type Writer } from './sessions.ts';

/** A person at a provider. */
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

/** Who a provider says that a person is. */
export interface Subject {
  providerId: string;
  issuer: string;
  subject: string;
  /** As the provider says it, verified or not. */
  email: string | null;
}

/** The person behind an issuer and a subject, and whether he may sign in; null for an unknown one. Others with this subject wait for the transaction. */
export async function findSubject(
  tx: Writer,
  { issuer, subject }: Subject,
): Promise<{ id: string; userId: string; status: string } | null> {
  await lockSubject(tx, issuer, subject);
  const row = await tx.oidcIdentity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    select: { id: true, userId: true, user: { select: { status: true } } },
  });
  return row && { id: row.id, userId: row.userId, status: row.user.status };
}

/** Lets the sign-ins and logouts of one person at a provider follow each other, until the transaction ends. */
export async function lockSubject(tx: Writer, issuer: string, subject: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${JSON.stringify([issuer, subject])}, 0))`;
}

/** Notes a sign-in. */
export async function touchIdentity(tx: Writer, id: string, { providerId, email }: Subject): Promise<void> {
  await tx.oidcIdentity.update({ where: { id }, data: { providerId, email, lastSignInAt: new Date() } });
}

/** Links an identity to a person; returns its id. */
export async function insertIdentity(tx: Writer, userId: string, { providerId, issuer, subject, email }: Subject): Promise<string> {
  const id = uuidv7();
  await tx.oidcIdentity.create({ data: { id, userId, providerId, issuer, subject, email, lastSignInAt: new Date() } });
  return id;
}

/** Makes a person, with the email only where no user has it. Returns the id. */
export async function insertPerson(tx: Writer, displayName: string, email: string | null): Promise<string> {
  const id = uuidv7();
  const { count } = await tx.user.createMany({ data: [{ id, displayName, email }], skipDuplicates: true });
  if (count === 0) await tx.user.create({ data: { id, displayName } });
  return id;
}

/** Identities of a person, oldest first. */
export async function listIdentities(db: Database, userId: string): Promise<StoredOidcIdentity[]> {
  const include = { provider: { select: { slug: true, name: true } } } as const;
  const rows = await runQuery(db.oidcIdentity.findMany({ where: { userId }, include, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }));
  return rows.map(({ provider, ...row }) => ({ ...row, providerSlug: provider.slug, providerName: provider.name }));
}

/**
 * Takes an identity away from its person.
 * @throws GatewayError NOT_FOUND, or VALIDATION_ERROR where nothing is left to sign in with
 */
export async function deleteIdentity(db: Database, userId: string, id: string, audit: AuditEntry): Promise<void> {
  await runQuery(
    db.$transaction(async (tx) => {
      // Two that are deleted at once are not both the last but one.
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

async function hasAnotherWayIn(tx: Writer, userId: string): Promise<boolean> {
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
