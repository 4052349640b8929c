import { GatewayError } from '@parley/protos/errors';
import { type InstanceRole, type Rights, type WorkspaceRole } from '../config/roles.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type AuditEntry, auditStatement } from './audit-log.ts';
import { type Database, runQuery } from './client.ts';
import { toDigestBytes } from './digest-bytes.ts';
import { type ListOrder, type ListPage, type PageRequest, readListPage } from './list-page.ts';
import { toRights, type DatabaseOrTransaction } from './sessions.ts';

/** A stored service account of the control plane, without its secret. */
export interface StoredServiceAccount {
  id: string;
  name: string;
  /** `active` or `disabled`. */
  status: string;
  /** Its role for the whole gateway; null for an account of a workspace. */
  instanceRole: InstanceRole | null;
  workspaceId: string | null;
  workspaceRole: WorkspaceRole | null;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** What decides whether a service account may act, and with which rights. */
export interface ServiceAccountRecord {
  id: string;
  /** SHA-256 of its secret in base64. */
  digest: string;
  status: string;
  expiresAt: Date | null;
  workspaceId: string | null;
  rights: Rights;
}

/** A service account to store. */
export type NewServiceAccount = Pick<
  StoredServiceAccount,
  'id' | 'name' | 'instanceRole' | 'workspaceId' | 'workspaceRole' | 'expiresAt'
> & {
  digest: string;
  createdBy: string;
};

/** The fields to change; absent fields stay. */
export interface ServiceAccountChange {
  name?: string;
  status?: string;
  instanceRole?: InstanceRole;
  workspaceRole?: WorkspaceRole;
  expiresAt?: Date | null;
  /** Digest of a new secret. */
  digest?: string;
}

const VISIBLE = {
  ...{ id: true, name: true, status: true, instanceRole: true, workspaceId: true, workspaceRole: true },
  ...{ createdAt: true, expiresAt: true, lastUsedAt: true },
} as const;

/** Returns the record of a service account; null for an unknown one. While its workspace is disabled, it has no role there. */
export async function findServiceAccountRecord(db: DatabaseOrTransaction, id: string): Promise<ServiceAccountRecord | null> {
  const row = await runQuery(db.serviceAccount.findUnique({ where: { id }, include: { workspace: { select: { status: true } } } }));
  if (!row) return null;
  const { workspaceId, workspaceRole, instanceRole, status, expiresAt } = row;
  const isMember = workspaceId !== null && workspaceRole !== null && row.workspace?.status === 'active';
  const memberships = isMember ? [{ workspaceId, role: workspaceRole }] : [];
  const digest = Buffer.from(row.digest).toString('base64');
  return { id, digest, status, expiresAt, workspaceId, rights: toRights({ instanceRole, memberships }) };
}

/** Returns the service account with an id. @throws GatewayError NOT_FOUND */
async function getServiceAccount(db: DatabaseOrTransaction, id: string): Promise<StoredServiceAccount> {
  const row = await runQuery(db.serviceAccount.findUnique({ where: { id }, select: VISIBLE }));
  if (!row) throw unknown();
  return toStored(row);
}

/** Returns a page of the accounts of one workspace, or all; newest first. */
export function listServiceAccounts(
  db: Database,
  { workspaceId }: { workspaceId?: string | undefined },
  page: PageRequest,
): Promise<ListPage<StoredServiceAccount>> {
  const where = workspaceId === undefined ? [] : [Prisma.sql`a.workspace_id = ${workspaceId}::uuid`];
  const order: ListOrder = { name: 'created_at', by: Prisma.sql`a.created_at`, type: 'time', isDescending: true };
  return readListPage(db, { from: Prisma.sql`service_accounts a`, where, id: Prisma.sql`a.id`, order }, page, async (ids) =>
    (await runQuery(db.serviceAccount.findMany({ where: { id: { in: ids } }, select: VISIBLE }))).map(toStored),
  );
}

/** Stores a new account with its audit entry. */
export async function insertServiceAccount(
  db: Database,
  { digest, ...account }: NewServiceAccount,
  audit: AuditEntry,
): Promise<StoredServiceAccount> {
  const data = { ...account, digest: toDigestBytes(digest) };
  const [stored] = await runQuery(db.$transaction([db.serviceAccount.create({ data, select: VISIBLE }), auditStatement(db, audit)]));
  return toStored(stored);
}

/** Changes an account; `allow` receives the current account and may throw. @throws GatewayError NOT_FOUND; and what `allow` throws */
export function updateServiceAccount(
  db: Database,
  id: string,
  { digest, ...change }: ServiceAccountChange,
  allow: (account: StoredServiceAccount) => void,
  audit: AuditEntry,
): Promise<StoredServiceAccount> {
  return withAccount(db, id, allow, audit, async (tx) => {
    const data = { ...change, ...(digest !== undefined && { digest: toDigestBytes(digest) }) };
    return toStored(await tx.serviceAccount.update({ where: { id }, data, select: VISIBLE }));
  });
}

/** Deletes an account; `allow` receives the current account and may throw. @throws GatewayError NOT_FOUND; and what `allow` throws */
export async function deleteServiceAccount(
  db: Database,
  id: string,
  allow: (account: StoredServiceAccount) => void,
  audit: AuditEntry,
): Promise<void> {
  await withAccount(db, id, allow, audit, (tx) => tx.serviceAccount.delete({ where: { id }, select: { id: true } }));
}

/** Records that an account was used now. */
export async function recordServiceAccountUse(tx: DatabaseOrTransaction, id: string): Promise<void> {
  await tx.serviceAccount.updateMany({ where: { id }, data: { lastUsedAt: new Date() } });
}

/** Locks the account, checks it with `allow`, then runs `work` and writes the audit entry, in one transaction. */
function withAccount<R>(
  db: Database,
  id: string,
  allow: (account: StoredServiceAccount) => void,
  audit: AuditEntry,
  work: (tx: DatabaseOrTransaction) => Promise<R>,
): Promise<R> {
  return runQuery(
    db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT 1 FROM service_accounts WHERE id = ${id}::uuid FOR UPDATE`;
      const account = await getServiceAccount(tx, id);
      allow(account);
      const result = await work(tx);
      await auditStatement(tx, { ...audit, workspaceId: account.workspaceId ?? undefined });
      return result;
    }),
  );
}

function toStored(
  row: Omit<StoredServiceAccount, 'instanceRole' | 'workspaceRole'> & Record<'instanceRole' | 'workspaceRole', string | null>,
) {
  return { ...row, instanceRole: row.instanceRole as InstanceRole | null, workspaceRole: row.workspaceRole as WorkspaceRole | null };
}

function unknown(): GatewayError {
  return new GatewayError('NOT_FOUND', 'no such service account', { param: 'id' });
}
