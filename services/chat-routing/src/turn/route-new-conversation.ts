import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import {
  acquireConnectionFromPlan,
  acquireHealthyConnection,
  noHealthySessionError,
  toConnectionPlan,
} from '../connections/connection-plan.ts';
import { type Connection } from '../connections/connection.ts';
import { CONNECTION_HEADER, listEligibleConnections, resolveModelName } from '../connections/eligible-connections.ts';
import { resolveSelectedProject } from './resolve-selected-project.ts';
import { toRouteReason } from './route-reason.ts';
import { requireConnectionByLabel, requireProfile, type Route } from './route.ts';
import { type TurnDeps } from './turn-deps.ts';

/**
 * Returns the route of a new conversation: the connection that the headers select, or the best of those they allow. Throws the coded error
 * when a header does not match or no connection can accept the turn.
 */
export async function routeNewConversation(
  deps: TurnDeps,
  request: TurnRequest,
  call: Call,
  connections: readonly Connection[],
): Promise<Route> {
  const chosen = request.upstreamAccount ? connections.find(({ row }) => row.label === request.upstreamAccount) : undefined;
  const isInProject = request.project !== '' || request.upstreamProject !== '' || request.requireProject;
  const project = isInProject ? await resolveSelectedProject(deps, request, call, { accountId: chosen?.id }) : undefined;
  const profile = request.routeProfile ? await requireProfile(deps, call.caller.workspaceId, request.routeProfile) : undefined;
  if (connections.length === 0) throw new GatewayError('ACCOUNT_NOT_CONNECTED', 'the workspace has no connected chat account');
  const named = request.upstreamAccount ? requireConnectionByLabel(connections, request.upstreamAccount) : undefined;
  const model = request.model === 'auto' ? profile?.model || 'auto' : request.model;
  const eligible = listEligibleConnections(connections, { named, param: CONNECTION_HEADER, project, profile, model });
  const plan = toConnectionPlan(eligible, model, profile);
  const choice = acquireHealthyConnection(plan) ?? (await acquireConnectionFromPlan(deps, plan));
  if (!choice) throw noHealthySessionError(plan);
  return {
    connection: choice.connection,
    probing: choice.probing,
    hasSlot: choice.hasSlot,
    model: resolveModelName(choice.connection, model),
    messages: request.messages,
    conversationId: uuidv7(),
    sequence: 1,
    project,
    reason: toRouteReason({ named, project, profile, eligible: eligible.length }),
    plan: named ? undefined : plan,
  };
}
