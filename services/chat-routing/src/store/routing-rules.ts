import { type PrismaClient } from './prisma.ts';

/** An upstream project as routing sees it. */
export interface ProjectRow {
  id: string;
  connectionId: string;
  slug: string;
  active: boolean;
  /** The workspace may select it. */
  bound: boolean;
}

/** A named way to choose an account. */
export interface ProfileRow {
  slug: string;
  accountLabels: string[];
  model: string;
}

/** What routing headers name: upstream projects and route profiles. */
export class RoutingRuleStore {
  readonly #prisma: PrismaClient;

  constructor(prisma: PrismaClient) {
    this.#prisma = prisma;
  }

  async findProject(workspaceId: string, where: { slug: string } | { id: string }): Promise<ProjectRow | undefined> {
    const project = await this.#prisma.upstreamProject.findFirst({
      where: { ...where, workspaceId },
      include: { bindings: { where: { workspaceId } } },
      orderBy: { createdAt: 'asc' },
    });
    if (!project) return undefined;
    const { id, connectionId, slug, status, bindings } = project;
    return { id, connectionId, slug, active: status === 'active', bound: bindings.length > 0 };
  }

  async findProfile(workspaceId: string, slug: string): Promise<ProfileRow | undefined> {
    return (await this.#prisma.routeProfile.findUnique({ where: { workspaceId_slug: { workspaceId, slug } } })) ?? undefined;
  }

  listProfiles(workspaceId: string): Promise<ProfileRow[]> {
    return this.#prisma.routeProfile.findMany({ where: { workspaceId }, orderBy: { slug: 'asc' } });
  }

  async putProfile(workspaceId: string, { slug, accountLabels, model }: ProfileRow): Promise<void> {
    const where = { workspaceId_slug: { workspaceId, slug } };
    await this.#prisma.routeProfile.upsert({ where, create: { workspaceId, slug, accountLabels, model }, update: { accountLabels, model } });
  }

  /** False when there is none. */
  async deleteProfile(workspaceId: string, slug: string): Promise<boolean> {
    const { count } = await this.#prisma.routeProfile.deleteMany({ where: { workspaceId, slug } });
    return count > 0;
  }
}
