import { isUuid } from '@parley/kit/ids/uuid';
import { type MemoryPolicy } from '../domain/memory-policy.ts';
import { type Strategy, toStrategy } from '../domain/route-strategy.ts';
import { type Database, withDatabaseErrors } from './database.ts';

/** An upstream project as routing sees it. */
export interface ProjectRow {
  id: string;
  connectionId: string;
  slug: string;
  active: boolean;
  /** The workspace may select it. */
  bound: boolean;
  upstreamRef: string;
  name: string;
  instructions: string;
  memoryPolicy: MemoryPolicy;
}

/** A named way to choose a connection. */
export interface ProfileRow {
  slug: string;
  accountLabels: string[];
  model: string;
  strategy: Strategy;
  /** For `weighted`: one for each of the labels. */
  weights: number[];
}

const PROFILE = { slug: true, accountLabels: true, model: true, strategy: true, weights: true };

/** The projects of a workspace with this slug, at most one per connection, oldest first. */
export async function findProjectsBySlug({ prisma }: Database, workspaceId: string, slug: string): Promise<ProjectRow[]> {
  const projects = await withDatabaseErrors(() =>
    prisma.upstreamProject.findMany({
      where: { slug, workspaceId },
      include: { bindings: { where: { workspaceId } } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
  );
  return projects.map(toRow);
}

/** A project of the workspace. */
export async function findProject({ prisma }: Database, workspaceId: string, id: string): Promise<ProjectRow | undefined> {
  if (!isUuid(id)) return undefined;
  const where = { id, workspaceId };
  const project = await withDatabaseErrors(() =>
    prisma.upstreamProject.findFirst({ where, include: { bindings: { where: { workspaceId } } } }),
  );
  return project ? toRow(project) : undefined;
}

/** The project that a workspace's conversations go to which may not be general. */
export async function findDefaultProject({ prisma }: Database, workspaceId: string): Promise<ProjectRow | undefined> {
  const where = { workspaceId, isDefault: true };
  const project = await withDatabaseErrors(() =>
    prisma.upstreamProject.findFirst({ where, include: { bindings: { where: { workspaceId } } } }),
  );
  return project ? toRow(project) : undefined;
}

/** A profile of the workspace. */
export async function findProfile({ prisma }: Database, workspaceId: string, slug: string): Promise<ProfileRow | undefined> {
  const where = { workspaceId_slug: { workspaceId, slug } };
  const profile = await withDatabaseErrors(() => prisma.routeProfile.findUnique({ where, select: PROFILE }));
  return profile ? toProfile(profile) : undefined;
}

/** The profiles of a workspace, by their slugs. */
export async function listProfiles({ prisma }: Database, workspaceId: string): Promise<ProfileRow[]> {
  const query = { where: { workspaceId }, orderBy: { slug: 'asc' }, select: PROFILE } as const;
  return (await withDatabaseErrors(() => prisma.routeProfile.findMany(query))).map(toProfile);
}

/** Stores a profile in the place of one with its slug. */
export async function putProfile({ prisma }: Database, workspaceId: string, { slug, ...rest }: ProfileRow): Promise<void> {
  const where = { workspaceId_slug: { workspaceId, slug } };
  const create = { workspaceId, slug, ...rest };
  await withDatabaseErrors(() => prisma.routeProfile.upsert({ where, create, update: rest }));
}

/** False when there is none. */
export async function deleteProfile({ prisma }: Database, workspaceId: string, slug: string): Promise<boolean> {
  const { count } = await withDatabaseErrors(() => prisma.routeProfile.deleteMany({ where: { workspaceId, slug } }));
  return count > 0;
}

/** Profiles from before there were strategies have none. */
function toProfile(profile: Omit<ProfileRow, 'strategy'> & { strategy: string }): ProfileRow {
  return { ...profile, strategy: toStrategy(profile) };
}

/** What the database has of a project. */
interface FoundProject extends Pick<ProjectRow, 'id' | 'connectionId' | 'slug' | 'upstreamRef' | 'name'> {
  status: string;
  instructions: string | null;
  memoryPolicy: string;
  bindings: readonly unknown[];
}

function toRow({ id, connectionId, slug, status, upstreamRef, name, instructions, memoryPolicy, bindings }: FoundProject): ProjectRow {
  return {
    ...{ id, connectionId, slug, upstreamRef, name, active: status === 'active', bound: bindings.length > 0 },
    instructions: instructions ?? '',
    memoryPolicy: memoryPolicy as MemoryPolicy,
  };
}
