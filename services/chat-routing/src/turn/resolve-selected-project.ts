import { type Call } from '@parley/kit/rpc/call';
import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { requireDefaultProject, requireSelectableProjects } from '../projects/find-project.ts';
import { findProjectsBySlug, type RoutingProject } from '../store/routing-rules.ts';
import { type TurnDeps } from './turn-deps.ts';

const UPSTREAM = 'X-Service-Upstream-Project';
const INTERNAL = 'X-Service-Project';

/**
 * Returns the upstream project that the headers select; undefined when they select none. `accountId`: the id of the connection that the
 * headers select, preferred when several connections have the project. Throws UPSTREAM_PROJECT_NOT_FOUND, UPSTREAM_PROJECT_OUT_OF_SCOPE,
 * UPSTREAM_PROJECT_NOT_CONFIGURED, WRONG_PROJECT_HEADER, INTERNAL_PROJECT_NOT_FOUND, or VALIDATION_ERROR when the conversation is in
 * another one.
 */
export async function resolveSelectedProject(
  deps: TurnDeps,
  request: TurnRequest,
  call: Call,
  { binding, accountId }: { binding?: Binding; accountId?: string },
): Promise<RoutingProject | undefined> {
  const { workspaceId } = call.caller;
  if (request.project) await refuseInternal(deps, workspaceId, request.project);
  if (!request.upstreamProject) return request.requireProject && !binding ? requireDefaultProject(deps, workspaceId, UPSTREAM) : undefined;
  const found = await findProjectsBySlug(deps.store.database, workspaceId, request.upstreamProject);
  const bound = requireSelectableProjects(found, 'UPSTREAM_PROJECT_NOT_FOUND', UPSTREAM);
  if (!binding) return bound.find(({ connectionId }) => connectionId === accountId) ?? bound[0];
  const own = bound.find(({ id }) => id === binding.upstreamProjectId);
  if (!own) throw new GatewayError('VALIDATION_ERROR', 'the conversation is not in this upstream project', { param: UPSTREAM });
  return own;
}

/** Rejects an internal project: the edge has resolved those it knows, so this one is unknown or an upstream slug in the wrong header. */
async function refuseInternal(deps: TurnDeps, workspaceId: string, slug: string): Promise<never> {
  if ((await findProjectsBySlug(deps.store.database, workspaceId, slug)).length > 0) {
    throw new GatewayError('WRONG_PROJECT_HEADER', `this is an upstream project: send it as ${UPSTREAM}`, { param: INTERNAL });
  }
  throw new GatewayError('INTERNAL_PROJECT_NOT_FOUND', 'no internal project has this slug', { param: INTERNAL });
}
