import { isUuid } from '@parley/kit/ids/uuid';
import { type MemoryPolicy } from '../domain/memory-policy.ts';
import { type Strategy, toStrategy } from '../domain/route-strategy.ts';
import { type Database, withDatabaseErrors } from './database.ts';

/** The fields of an upstream project that routing uses. */
export interface RoutingProject {
  id: string;
  connectionId: string;
  slug: string;
  active: boolean;
  /** Whether the workspace may select the project. */
  bound: boolean;
  upstreamRef: string;
  name: string;
  instructions: string;
  memoryPolicy: MemoryPolicy;
}

/** A route profile: which connections a turn may use, and how one is chosen. */
export interface ProfileRow {
  slug: string;
  accountLabels: string[];
  model: string;
  strategy: Strategy;
  /** For strategy `weighted`: one weight per label, in the same order. */
  weights: number[];
}

const PROFILE = { slug: true, accountLabels: true, model: true, strategy: true, weights: true };

/** Finds the projects of a workspace with this slug, active or deleted, oldest first. */
export async function findProjectsBySlug({ prisma }: Database, workspaceId: string, slug: string): Promise<RoutingProject[]> {
  const projects = await withDatabaseErrors(() =>
    prisma.upstreamProject.findMany({
      where: { slug, workspaceId },
      include: { bindings: { where: { workspaceId } } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
  );
  return projects.map(toRow);
}

/** Finds the project of a workspace with this id, active or deleted. */
export async function findProject({ prisma }: Database, workspaceId: string, id: string): Promise<RoutingProject | undefined> {
  if (!isUuid(id)) return undefined;
  const where = { id, workspaceId };
  const project = await withDatabaseErrors(() =>
    prisma.upstreamProject.findFirst({ where, include: { bindings: { where: { workspaceId } } } }),
  );
  return project ? toRow(project) : undefined;
}

/** Finds the default project of a workspace. */
export async function findDefaultProject({ prisma }: Database, workspaceId: string): Promise<RoutingProject | undefined> {
  const where = { workspaceId, isDefault: true };
  const project = await withDatabaseErrors(() =>
    prisma.upstreamProject.findFirst({ where, include: { bindings: { where: { workspaceId } } } }),
  );
  return project ? toRow(project) : undefined;
}

/** Finds the route profile of a workspace with this slug. */
export async function findProfile({ prisma }: Database, workspaceId: string, slug: string): Promise<ProfileRow | undefined> {
  const where = { workspaceId_slug: { workspaceId, slug } };
  const profile = await withDatabaseErrors(() => prisma.routeProfile.findUnique({ where, select: PROFILE }));
  return profile ? toProfile(profile) : undefined;
}

/** Lists the route profiles of a workspace, ordered by slug. */
export async function listProfiles({ prisma }: Database, workspaceId: string): Promise<ProfileRow[]> {
  const query = { where: { workspaceId }, orderBy: { slug: 'asc' }, select: PROFILE } as const;
  return (await withDatabaseErrors(() => prisma.routeProfile.findMany(query))).map(toProfile);
}

/** Inserts a route profile, or replaces the one with the same slug. */
export async function putProfile({ prisma }: Database, workspaceId: string, { slug, ...rest }: ProfileRow): Promise<void> {
  const where = { workspaceId_slug: { workspaceId, slug } };
  const create = { workspaceId, slug, ...rest };
  await withDatabaseErrors(() => prisma.routeProfile.upsert({ where, create, update: rest }));
}

/** Deletes a route profile; false when there is none with this slug. */
export async function deleteProfile({ prisma }: Database, workspaceId: string, slug: string): Promise<boolean> {
  const { count } = await withDatabaseErrors(() => prisma.routeProfile.deleteMany({ where: { workspaceId, slug } }));
  return count > 0;
}

/** Converts a stored profile. Profiles older than strategies have an empty one, which becomes the default. */
function toProfile(profile: Omit<ProfileRow, 'strategy'> & { strategy: string }): ProfileRow {
  return { ...profile, strategy: toStrategy(profile) };
}

/** A project as Prisma returns it. */
interface FoundProject extends Pick<RoutingProject, 'id' | 'connectionId' | 'slug' | 'upstreamRef' | 'name'> {
  status: string;
  instructions: string | null;
  memoryPolicy: string;
  bindings: readonly unknown[];
}

function toRow({ id, connectionId, slug, status, upstreamRef, name, instructions, memoryPolicy, bindings }: FoundProject): RoutingProject {
  return {
    ...{ id, connectionId, slug, upstreamRef, name, active: status === 'active', bound: bindings.length > 0 },
    instructions: instructions ?? '',
    memoryPolicy: memoryPolicy as MemoryPolicy,
  };
}
