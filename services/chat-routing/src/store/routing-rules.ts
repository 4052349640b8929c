import { isUuid } from '@parley/kit/ids/uuid';
import { type MemoryPolicy } from '../domain/memory-policy.ts';
import { type Strategy, toStrategy } from '../domain/route-strategy.ts';
import { withDatabaseErrors, type PrismaClient } from './prisma.ts';

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

/** A named way to choose an account. */
export interface ProfileRow {
  slug: string;
  accountLabels: string[];
  model: string;
  strategy: Strategy;
  /** For `weighted`: one for each of the labels. */
  weights: number[];
}

const PROFILE = { slug: true, accountLabels: true, model: true, strategy: true, weights: true };

/** What routing headers name: upstream projects and route profiles. */
export class RoutingRuleStore {
  readonly #prisma: PrismaClient;

  constructor(prisma: PrismaClient) {
    this.#prisma = prisma;
  }

  /** The projects of a workspace with this slug: one an account at most, oldest first. */
  async findProjects(workspaceId: string, slug: string): Promise<ProjectRow[]> {
    const projects = await withDatabaseErrors(() =>
      this.#prisma.upstreamProject.findMany({
        where: { slug, workspaceId },
        include: { bindings: { where: { workspaceId } } },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      }),
    );
    return projects.map(toRow);
  }

  async findProject(workspaceId: string, id: string): Promise<ProjectRow | undefined> {
    if (!isUuid(id)) return undefined;
    const where = { id, workspaceId };
    const project = await withDatabaseErrors(() =>
      this.#prisma.upstreamProject.findFirst({ where, include: { bindings: { where: { workspaceId } } } }),
    );
    return project ? toRow(project) : undefined;
  }

  /** The project that a workspace's conversations go to which may not be general. */
  async findDefaultProject(workspaceId: string): Promise<ProjectRow | undefined> {
    const where = { workspaceId, isDefault: true };
    const project = await withDatabaseErrors(() =>
      this.#prisma.upstreamProject.findFirst({ where, include: { bindings: { where: { workspaceId } } } }),
    );
    return project ? toRow(project) : undefined;
  }

  async findProfile(workspaceId: string, slug: string): Promise<ProfileRow | undefined> {
    const where = { workspaceId_slug: { workspaceId, slug } };
    const profile = await withDatabaseErrors(() => this.#prisma.routeProfile.findUnique({ where, select: PROFILE }));
    return profile ? toProfile(profile) : undefined;
  }

  async listProfiles(workspaceId: string): Promise<ProfileRow[]> {
    const query = { where: { workspaceId }, orderBy: { slug: 'asc' }, select: PROFILE } as const;
    return (await withDatabaseErrors(() => this.#prisma.routeProfile.findMany(query))).map(toProfile);
  }

  async putProfile(workspaceId: string, { slug, ...rest }: ProfileRow): Promise<void> {
    const where = { workspaceId_slug: { workspaceId, slug } };
    const create = { workspaceId, slug, ...rest };
    await withDatabaseErrors(() => this.#prisma.routeProfile.upsert({ where, create, update: rest }));
  }

  /** False when there is none. */
  async deleteProfile(workspaceId: string, slug: string): Promise<boolean> {
    const { count } = await withDatabaseErrors(() => this.#prisma.routeProfile.deleteMany({ where: { workspaceId, slug } }));
    return count > 0;
  }
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
