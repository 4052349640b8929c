import { type InstanceRole, type WorkspaceRole } from '../config/roles.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type AuditEntry, auditStatement } from './audit-log.ts';
import { runQuery, type Database } from './client.ts';
import { toDigestBytes } from './digest-bytes.ts';
import { type ListOrder, type ListPage, type PageRequest, readListPage } from './list-page.ts';
import { type DatabaseOrTransaction } from './sessions.ts';

/** A stored invitation, without its link. */
export interface StoredInvitation {
  id: string;
  email: string;
  workspaceId: string | null;
  workspaceRole: WorkspaceRole | null;
  instanceRole: InstanceRole | null;
  /** `user:<id>`, `service_account:<id>` or `operator`. */
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
  acceptedAt: Date | null;
  revokedAt: Date | null;
}

/** An invitation to store; `digest` is that of its token. */
export type NewInvitation = Pick<
  StoredInvitation,
  'id' | 'email' | 'workspaceId' | 'workspaceRole' | 'instanceRole' | 'invitedBy' | 'expiresAt'
> & { digest: string };

const VISIBLE = {
  ...{ id: true, email: true, workspaceId: true, workspaceRole: true, instanceRole: true },
  ...{ invitedBy: true, createdAt: true, expiresAt: true, acceptedAt: true, revokedAt: true },
} as const;

/** Stores an invitation; revokes an open one of the same email to the same workspace. */
export async function insertInvitation(
  db: Database,
  { digest, ...invitation }: NewInvitation,
  audit: AuditEntry,
): Promise<StoredInvitation> {
  const { email, workspaceId } = invitation;
  const [, stored] = await runQuery(
    db.$transaction([
      db.invitation.updateMany({ where: { email, workspaceId, acceptedAt: null, revokedAt: null }, data: { revokedAt: new Date() } }),
      db.invitation.create({ data: { ...invitation, digest: toDigestBytes(digest) }, select: VISIBLE }),
      auditStatement(db, audit),
    ]),
  );
  return stored as StoredInvitation;
}

/** Returns a page of invitations to one workspace, or all; newest first. */
export function listInvitations(
  db: Database,
  { workspaceId }: { workspaceId?: string | undefined },
  page: PageRequest,
): Promise<ListPage<StoredInvitation>> {
  const where = workspaceId === undefined ? [] : [Prisma.sql`i.workspace_id = ${workspaceId}::uuid`];
  const order: ListOrder = { name: 'created_at', by: Prisma.sql`i.created_at`, type: 'time', isDescending: true };
  return readListPage(db, { from: Prisma.sql`invitations i`, where, id: Prisma.sql`i.id`, order }, page, async (ids) => {
    return (await runQuery(db.invitation.findMany({ where: { id: { in: ids } }, select: VISIBLE }))) as StoredInvitation[];
  });
}

/** Returns the id of the workspace of an invitation; undefined when it has none or does not exist. */
export async function findInvitationWorkspaceId(db: Database, id: string): Promise<string | undefined> {
  const found = await runQuery(db.invitation.findUnique({ where: { id }, select: { workspaceId: true } }));
  return found?.workspaceId ?? undefined;
}

/** Revokes an open invitation; returns false when there is none. */
export async function revokeInvitation(db: Database, id: string, toAudit: (workspaceId: string | null) => AuditEntry): Promise<boolean> {
  return runQuery(
    db.$transaction(async (tx) => {
      const [ended] = await tx.invitation.updateManyAndReturn({
        where: { id, acceptedAt: null, revokedAt: null },
        data: { revokedAt: new Date() },
        select: { workspaceId: true },
      });
      if (ended) await auditStatement(tx, toAudit(ended.workspaceId));
      return ended !== undefined;
    }),
  );
}

/** Returns an open invitation, which can be accepted, with the name of its workspace; null for any other. */
export async function findOpenInvitation(
  db: Database,
  digest: string,
): Promise<(StoredInvitation & { workspaceName: string | null }) | null> {
  const found = await runQuery(
    db.invitation.findFirst({
      where: { digest: toDigestBytes(digest), acceptedAt: null, revokedAt: null, expiresAt: { gt: new Date() } },
      select: { ...VISIBLE, workspace: { select: { name: true } } },
    }),
  );
  if (!found) return null;
  const { workspace, ...invitation } = found;
  return { ...(invitation as StoredInvitation), workspaceName: workspace?.name ?? null };
}

/** Consumes an invitation for the user who accepts it; of several concurrent callers one gets it, the others null. */
export async function consumeInvitation(tx: DatabaseOrTransaction, digest: string, userId: string): Promise<StoredInvitation | null> {
  const [taken] = await tx.invitation.updateManyAndReturn({
    where: { digest: toDigestBytes(digest), acceptedAt: null, revokedAt: null, expiresAt: { gt: new Date() } },
    data: { acceptedAt: new Date(), acceptedBy: userId },
    select: VISIBLE,
  });
  return (taken as StoredInvitation | undefined) ?? null;
}
