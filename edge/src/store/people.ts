import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { GatewayError } from '@parley/protos/errors';
import { type InstanceRole, type Rights, type WorkspaceRole } from '../config/roles.ts';
import { runQuery } from './client.ts';
import { toRights, type DatabaseOrTransaction } from './sessions.ts';

/** A user to store. */
export interface NewPerson {
  id: string;
  displayName: string;
  email: string;
  passwordHash: string | null;
  instanceRole: InstanceRole | null;
  membership: { workspaceId: string; role: WorkspaceRole } | null;
}

/** The profile of a user. */
export interface Profile {
  id: string;
  displayName: string;
  email: string | null;
  passwordChangedAt: Date | null;
  hasPassword: boolean;
  requiresSecondFactor: boolean;
  createdAt: Date;
}

/** The membership of the first owner: owner of the default workspace. */
export const FIRST_OWNER_MEMBERSHIP = { workspaceId: DEFAULT_WORKSPACE_ID, role: 'owner' } as const;

/** Stores a user in a transaction. @throws GatewayError EMAIL_TAKEN */
export async function insertPerson(tx: DatabaseOrTransaction, { membership, ...person }: NewPerson): Promise<void> {
  const passwordChangedAt = person.passwordHash === null ? null : new Date();
  const memberships = membership === null ? {} : { memberships: { create: membership } };
  await tx.user.create({ data: { ...person, passwordChangedAt, ...memberships } }).catch(throwEmailTaken);
}

/** Converts the violation of the unique email index. @throws GatewayError EMAIL_TAKEN, or the given error when it is another one */
export function throwEmailTaken(error: unknown): never {
  // Prisma's code for a unique constraint.
  const isTaken = error instanceof Error && 'code' in error && error.code === 'P2002';
  throw isTaken ? new GatewayError('EMAIL_TAKEN', 'another person has this email', { cause: error }) : error;
}

/** Returns the profile of a user; null for an unknown one. */
export async function findProfile(db: DatabaseOrTransaction, id: string): Promise<Profile | null> {
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

/** Changes the display name of a user. */
export async function renamePerson(tx: DatabaseOrTransaction, id: string, displayName: string): Promise<void> {
  await tx.user.update({ where: { id }, data: { displayName } });
}

/** Returns the current rights of a user; null when the user is unknown or disabled. */
export async function findRights(db: DatabaseOrTransaction, id: string): Promise<Rights | null> {
  const memberships = { select: { workspaceId: true, role: true }, where: { workspace: { status: 'active' } } } as const;
  const found = await runQuery(db.user.findUnique({ where: { id, status: 'active' }, select: { instanceRole: true, memberships } }));
  return found && toRights(found);
}

/** Sets the roles of a user that an invitation grants. */
export async function setInvitedRoles(
  tx: DatabaseOrTransaction,
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
