import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { GatewayError } from '@parley/protos/errors';
import { type Project, type ProjectSource } from '@parley/protos/routing/v1/project';
import { type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';

const NOW = new Date('2025-01-31T12:00:00.000Z');

type Played =
  | 'listProjects'
  | 'createProject'
  | 'getProject'
  | 'updateProject'
  | 'deleteProject'
  | 'listProjectSources'
  | 'registerProject'
  | 'bindProject';

/** A file of a project as chat-routing would answer it. */
export function source(change: Partial<ProjectSource> = {}): ProjectSource {
  const about = { id: uuidv7(), sourceType: 'file', title: 'notes.txt', status: 'ready', mimeType: 'text/plain', sizeBytes: 5 };
  return { ...about, createdAt: NOW, assetId: uuidv7(), ...change };
}

/** Plays the part of chat-routing that knows upstream projects: in memory, each in one workspace. */
export class FakeProjects {
  kept = new Map<string, { project: Project; workspaceId: string }>();

  /** Handlers of its methods; `on` notes every call. */
  handlers(
    on: <Req, Res>(method: string, answer: (request: Req, call: Call) => Res) => (request: Req, call: Call) => Promise<Res>,
  ): Pick<Handlers<typeof ChatRoutingServiceService>, Played> {
    return {
      listProjects: on('listProjects', ({ search, limit, offset }, { caller }) => {
        const own = [...this.kept.values()].filter(({ workspaceId }) => workspaceId === caller.workspaceId).map(({ project }) => project);
        const found = own.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
        return { projects: found.slice(offset, offset + limit), total: found.length };
      }),
      createProject: on('createProject', ({ name, instructions, memoryPolicy, upstreamAccountId }, { caller }) =>
        this.keep(
          {
            name,
            instructions,
            effectiveMemoryPolicy: memoryPolicy || 'provider_default',
            ...(upstreamAccountId && { upstreamAccountId }),
          },
          caller.workspaceId,
        ),
      ),
      getProject: on('getProject', ({ projectId }, call) => this.#find(projectId, call)),
      updateProject: on('updateProject', ({ projectId, name, instructions }, call) =>
        Object.assign(this.#find(projectId, call), name !== undefined && { name }, instructions !== undefined && { instructions }),
      ),
      deleteProject: on('deleteProject', ({ projectId }, call) => {
        this.kept.delete(this.#find(projectId, call).id);
        return {};
      }),
      listProjectSources: on('listProjectSources', ({ projectId }, call) => ({ sources: this.#find(projectId, call).sources })),
      registerProject: on('registerProject', ({ upstreamAccountId, upstreamReference }, { caller }) =>
        this.keep({ name: upstreamReference, upstreamAccountId, bound: false, memoryPolicyStatus: 'unverified' }, caller.workspaceId),
      ),
      bindProject: on('bindProject', ({ projectId, bound, isDefault }, call) =>
        Object.assign(this.#find(projectId, call), bound !== undefined && { bound }, isDefault !== undefined && { isDefault }),
      ),
    };
  }

  /** Puts a project into a workspace. */
  keep(change: Partial<Project>, workspaceId: string): Project {
    const name = change.name ?? 'Research';
    const project: Project = {
      id: uuidv7(),
      name,
      slug: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
      status: 'active',
      isDefault: false,
      effectiveMemoryPolicy: 'provider_default',
      memoryPolicyStatus: 'verified',
      upstreamAccountId: '01900000-0000-7000-8000-0000000000ac',
      conversationCount: 0,
      createdAt: NOW,
      updatedAt: NOW,
      sources: [],
      bound: true,
      ...change,
    };
    this.kept.set(project.id, { project, workspaceId });
    return project;
  }

  #find(id: string, { caller }: Call): Project {
    const kept = this.kept.get(id);
    if (kept?.workspaceId !== caller.workspaceId) throw new GatewayError('PROJECT_NOT_FOUND', 'no such project');
    return kept.project;
  }
}
