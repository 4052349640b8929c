import { GatewayError } from '@parley/protos/errors';
import { findDefaultProject, findProject, type ProjectRow } from '../store/routing-rules.ts';
import { type Store } from '../store/store.ts';

/** The upstream project with this id, for a conversation to begin in. Throws PROJECT_NOT_FOUND and UPSTREAM_PROJECT_OUT_OF_SCOPE, with `param`. */
export async function requireProject(
  { store }: { store: Store },
  workspaceId: string,
  id: string,
  param: string,
): Promise<ProjectRow | undefined> {
  const project = await findProject(store.database, workspaceId, id);
  return requireSelectable(project ? [project] : [], 'PROJECT_NOT_FOUND', param)[0];
}

/**
 * The workspace's default project, for a conversation that may not begin in the general space. Throws UPSTREAM_PROJECT_NOT_CONFIGURED, with
 * `param`, where there is none that is bound and active.
 */
export async function requireDefaultProject({ store }: { store: Store }, workspaceId: string, param: string): Promise<ProjectRow> {
  const project = await findDefaultProject(store.database, workspaceId);
  if (project?.active && project.bound) return project;
  throw new GatewayError(
    'UPSTREAM_PROJECT_NOT_CONFIGURED',
    'the internal project forbids the general space, none is selected and there is no default one',
    { param },
  );
}

/** The upstream project of a conversation; undefined when it is no longer available. */
export async function findLiveProject({ store }: { store: Store }, workspaceId: string, id: string): Promise<ProjectRow | undefined> {
  const project = await findProject(store.database, workspaceId, id);
  return project?.active ? project : undefined;
}

/** The projects that the workspace may select; at least one. Throws `missing`, or UPSTREAM_PROJECT_OUT_OF_SCOPE. */
export function requireSelectable(
  projects: readonly ProjectRow[],
  missing: 'UPSTREAM_PROJECT_NOT_FOUND' | 'PROJECT_NOT_FOUND',
  param: string,
): readonly ProjectRow[] {
  const active = projects.filter((project) => project.active);
  if (active.length === 0) throw new GatewayError(missing, 'there is no such active upstream project', { param });
  const bound = active.filter((project) => project.bound);
  if (bound.length === 0)
    throw new GatewayError('UPSTREAM_PROJECT_OUT_OF_SCOPE', 'the workspace may not select this upstream project', { param });
  return bound;
}
