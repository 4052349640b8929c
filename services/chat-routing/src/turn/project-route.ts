import { type Call } from '@parley/kit/rpc/call';
import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type ProjectRow } from '../store/routing-rules.ts';
import { type TurnDeps } from './deps.ts';

const UPSTREAM = 'X-Service-Upstream-Project';
const INTERNAL = 'X-Service-Project';

/** The upstream project the headers select, if any (spec §4.1, §4.2 rules 4 and 5). Throws the coded refusals of spec §7. */
export async function requireProjectRoute(deps: TurnDeps, request: TurnRequest, call: Call, binding?: Binding): Promise<ProjectRow | undefined> {
  const { workspaceId } = call.caller;
  if (request.project) await refuseInternal(deps, workspaceId, request.project);
  if (!request.upstreamProject) return undefined;
  const project = await deps.rules.findProject(workspaceId, { slug: request.upstreamProject });
  if (!project?.active) throw new GatewayError('UPSTREAM_PROJECT_NOT_FOUND', 'no active upstream project has this slug', { param: UPSTREAM });
  if (!project.bound) throw new GatewayError('UPSTREAM_PROJECT_OUT_OF_SCOPE', 'the workspace may not select this upstream project', { param: UPSTREAM });
  if (binding && binding.upstreamProjectId !== project.id) {
    throw new GatewayError('VALIDATION_ERROR', 'the conversation is not in this upstream project', { param: UPSTREAM });
  }
  return project;
}

/** The edge resolves the internal projects it knows; what reaches us is unknown there, and perhaps an upstream slug in the wrong header. */
async function refuseInternal(deps: TurnDeps, workspaceId: string, slug: string): Promise<never> {
  if (await deps.rules.findProject(workspaceId, { slug })) {
    throw new GatewayError('WRONG_PROJECT_HEADER', `this is an upstream project: send it as ${UPSTREAM}`, { param: INTERNAL });
  }
  throw new GatewayError('INTERNAL_PROJECT_NOT_FOUND', 'no internal project has this slug', { param: INTERNAL });
}
