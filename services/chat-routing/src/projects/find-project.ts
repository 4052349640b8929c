import { GatewayError } from '@parley/protos/errors';
import { findDefaultProject, findProject, type RoutingProject } from '../store/routing-rules.ts';
import { type Store } from '../store/store.ts';

/**
 * Returns the selectable project with this id for a new conversation. Throws PROJECT_NOT_FOUND and UPSTREAM_PROJECT_OUT_OF_SCOPE, with
 * `param`.
 */
export async function requireSelectableProject(
  { store }: { store: Store },
  workspaceId: string,
  id: string,
  param: string,
): Promise<RoutingProject | undefined> {
  const project = await findProject(store.database, workspaceId, id);
  return requireSelectableProjects(project ? [project] : [], 'PROJECT_NOT_FOUND', param)[0];
}

/**
 * Returns the workspace's default project, for a conversation that must be in a project. Throws UPSTREAM_PROJECT_NOT_CONFIGURED, with
 * `param`, when there is no default project that is bound and active.
 */
export async function requireDefaultProject({ store }: { store: Store }, workspaceId: string, param: string): Promise<RoutingProject> {
  const project = await findDefaultProject(store.database, workspaceId);
  if (project?.active && project.bound) return project;
  throw new GatewayError(
    'UPSTREAM_PROJECT_NOT_CONFIGURED',
    'the internal project forbids the general space, none is selected and there is no default one',
    { param },
  );
}

/** Returns the upstream project with this id; undefined when it is not active any more. */
export async function findActiveProject({ store }: { store: Store }, workspaceId: string, id: string): Promise<RoutingProject | undefined> {
  const project = await findProject(store.database, workspaceId, id);
  return project?.active ? project : undefined;
}

/**
 * Returns the active and bound ones of these projects, at least one. Throws `missing` when none is active, else
 * UPSTREAM_PROJECT_OUT_OF_SCOPE.
 */
export function requireSelectableProjects(
  projects: readonly RoutingProject[],
  missing: 'UPSTREAM_PROJECT_NOT_FOUND' | 'PROJECT_NOT_FOUND',
  param: string,
): readonly RoutingProject[] {
  const active = projects.filter((project) => project.active);
  if (active.length === 0) throw new GatewayError(missing, 'there is no such active upstream project', { param });
  const bound = active.filter((project) => project.bound);
  if (bound.length === 0)
    throw new GatewayError('UPSTREAM_PROJECT_OUT_OF_SCOPE', 'the workspace may not select this upstream project', { param });
  return bound;
}
