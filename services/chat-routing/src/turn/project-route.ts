import { type Call } from '@parley/kit/rpc/call';
import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type ProjectRow } from '../store/routing-rules.ts';
import { type TurnDeps } from './deps.ts';

const UPSTREAM = 'X-Service-Upstream-Project';
const INTERNAL = 'X-Service-Project';

/**
 * The upstream project the headers select, if any (spec §4.1, §4.2 rules 4 and 5); `accountId` is the account they select.
 * Throws the coded refusals of spec §7.
 */
export async function requireProjectRoute(
  deps: TurnDeps,
  request: TurnRequest,
  call: Call,
  { binding, accountId }: { binding?: Binding; accountId?: string },
): Promise<ProjectRow | undefined> {
  const { workspaceId } = call.caller;
  if (request.project) await refuseInternal(deps, workspaceId, request.project);
  if (!request.upstreamProject) return request.requireProject && !binding ? requireDefaultProject(deps, workspaceId, UPSTREAM) : undefined;
  const found = await deps.rules.findProjects(workspaceId, request.upstreamProject);
  const bound = selectable(found, 'UPSTREAM_PROJECT_NOT_FOUND', UPSTREAM);
  if (!binding) return bound.find(({ connectionId }) => connectionId === accountId) ?? bound[0];
  const own = bound.find(({ id }) => id === binding.upstreamProjectId);
  if (!own) throw new GatewayError('VALIDATION_ERROR', 'the conversation is not in this upstream project', { param: UPSTREAM });
  return own;
}

/** The upstream project with this id, for a conversation to begin in. Throws the refusals of spec §7, with `param`. */
export async function requireProject(
  { rules }: Pick<TurnDeps, 'rules'>,
  workspaceId: string,
  id: string,
  param: string,
): Promise<ProjectRow | undefined> {
  const project = await rules.findProject(workspaceId, id);
  return selectable(project ? [project] : [], 'PROJECT_NOT_FOUND', param)[0];
}

/**
 * The workspace's default project, for a conversation that may not begin in the general space. Throws UPSTREAM_PROJECT_NOT_CONFIGURED, with
 * `param`, where there is none that is bound and active.
 */
export async function requireDefaultProject({ rules }: Pick<TurnDeps, 'rules'>, workspaceId: string, param: string): Promise<ProjectRow> {
  const project = await rules.findDefaultProject(workspaceId);
  if (project?.active && project.bound) return project;
  throw new GatewayError(
    'UPSTREAM_PROJECT_NOT_CONFIGURED',
    'the internal project forbids the general space, none is selected and there is no default one',
    { param },
  );
}

/** The upstream project of a conversation; undefined when it is no longer available. */
export async function findLiveProject(
  { rules }: Pick<TurnDeps, 'rules'>,
  workspaceId: string,
  id: string,
): Promise<ProjectRow | undefined> {
  const project = await rules.findProject(workspaceId, id);
  return project?.active ? project : undefined;
}

/** Those that the workspace may select; one at least. By its slug a project is part of the route, by its id a resource: hence `missing`. */
function selectable(
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

/** The edge resolves the internal projects it knows; what reaches us is unknown there, and perhaps an upstream slug in the wrong header. */
async function refuseInternal(deps: TurnDeps, workspaceId: string, slug: string): Promise<never> {
  if ((await deps.rules.findProjects(workspaceId, slug)).length > 0) {
    throw new GatewayError('WRONG_PROJECT_HEADER', `this is an upstream project: send it as ${UPSTREAM}`, { param: INTERNAL });
  }
  throw new GatewayError('INTERNAL_PROJECT_NOT_FOUND', 'no internal project has this slug', { param: INTERNAL });
}
