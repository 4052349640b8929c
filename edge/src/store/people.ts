import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { GatewayError } from '@parley/protos/errors';
import { type InstanceRole, type Rights, type WorkspaceRole } from '../config/roles.ts';
import { runQuery } from './client.ts';
import { toRights, type Writer } from './sessions.ts';

/** A person to store. */
export interface NewPerson {
  id: string;
  displayName: string;
  email: string;
  passwordHash: string | null;
  instanceRole: InstanceRole | null;
  membership: { workspaceId: string; role: WorkspaceRole } | null;
}

/** A person as he sees himself. */
export interface Profile {
  id: string;
  displayName: string;
  email: string | null;
  passwordChangedAt: Date | null;
  hasPassword: boolean;
  requiresSecondFactor: boolean;
  createdAt: Date;
}

/** The membership of the first owner. */
export const FIRST_MEMBERSHIP = { workspaceId: DEFAULT_WORKSPACE_ID, role: 'owner' } as const;

/** Stores a person inside a transaction, which fails with it. @throws GatewayError EMAIL_TAKEN */
export async function insertPerson(tx: Writer, { membership, ...person }: NewPerson): Promise<void> {
  const passwordChangedAt = person.passwordHash === null ? null : new Date();
  const memberships = membership === null ? {} : { memberships: { create: membership } };
  await tx.user.create({ data: { ...person, passwordChangedAt, ...memberships } }).catch(refuseTakenEmail);
}

/** Turns the violation of the uniqueness of emails into its error. @throws GatewayError EMAIL_TAKEN, or the given error */
export function refuseTakenEmail(error: unknown): never {
  // Prisma's code for a unique constraint.
  const isTaken = error instanceof Error && 'code' in error && error.code === 'P2002';
  throw isTaken ? new GatewayError('EMAIL_TAKEN', 'another person has this email', { cause: error }) : error;
}

/** A person as he sees himself; null for an unknown one. */
export async function findProfile(db: Writer, id: string): Promise<Profile | null> {
  const found = await runQuery(
    db.user.findUnique({
      where: { id },
      select: {
        ...{ id: true, displayName: true, email: true, createdAt: true },
        ...{ passwordHash: true, passwordChangedAt: true, requiresSecondFactor: true },
      },
    }),
  );
  if (!found) return null;
  const { passwordHash, ...profile } = found;
  return { ...profile, hasPassword: passwordHash !== null };
}

/** Renames a person. */
export async function renamePerson(tx: Writer, id: string, displayName: string): Promise<void> {
  await tx.user.update({ where: { id }, data: { displayName } });
}

/** What a person may as of now; null for one who is unknown or disabled. */
export async function findRights(db: Writer, id: string): Promise<Rights | null> {
  const memberships = { select: { workspaceId: true, role: true }, where: { workspace: { status: 'active' } } } as const;
  const found = await runQuery(db.user.findUnique({ where: { id, status: 'active' }, select: { instanceRole: true, memberships } }));
  return found && toRights(found);
}

/** Gives a person the roles of an invitation. */
export async function addRoles(
  tx: Writer,
  id: string,
  { instanceRole, membership }: Pick<NewPerson, 'instanceRole' | 'membership'>,
): Promise<void> {
  if (instanceRole !== null) await tx.user.update({ where: { id }, data: { instanceRole } });
  if (membership === null) return;
  const { workspaceId, role } = membership;
  await tx.membership.upsert({
    where: { workspaceId_userId: { workspaceId, userId: id } },
    create: { workspaceId, userId: id, role },
    update: { role },
  });
}
