import { type Call } from '@parley/kit/rpc/call';
import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type TurnMessage, type TurnRequest } from '@parley/protos/routing/v1/routing';
import {
  type ConnectionChoice,
  type ConnectionPlan,
  acquireConnectionFromPlan,
  toConnectionPlan,
  withoutConnections,
} from '../connections/connection-plan.ts';
import { type Connection } from '../connections/connection.ts';
import {
  CONNECTION_HEADER,
  isAllowedByProfile,
  PROFILE_HEADER,
  resolveModelName,
  unknownModelError,
} from '../connections/eligible-connections.ts';
import { readConversationBinding } from '../conversation/read-conversation-binding.ts';
import { readHistory } from '../conversation/read-history.ts';
import { recordContinuity } from '../conversation/record-continuity.ts';
import { requireAdmission } from '../conversation/require-admission.ts';
import { requireContinuableStatus } from '../domain/error-effects.ts';
import { messagesAfterLastAnswer } from '../domain/messages-after-last-answer.ts';
import { findActiveProject } from '../projects/find-project.ts';
import { hasConversationFiles } from '../store/files.ts';
import { type ProfileRow, type RoutingProject } from '../store/routing-rules.ts';
import { resolveSelectedProject } from './resolve-selected-project.ts';
import { toRouteReason } from './route-reason.ts';
import { requireConnectionByLabel, requireProfile, type Route } from './route.ts';
import { type TurnCall } from './turn-context.ts';
import { type TurnDeps } from './turn-deps.ts';

/**
 * Returns the route of a turn in an existing conversation: the connection it is bound to, or another one while no upstream has accepted a
 * turn of it. Throws the coded error when that connection cannot accept the turn.
 */
export async function routeExistingConversation(
  deps: TurnDeps,
  { request, call, reclaims }: Pick<TurnCall, 'request' | 'call' | 'reclaims'>,
  connections: readonly Connection[],
): Promise<Route> {
  const binding = await readConversationBinding(deps, request.conversationId, call);
  const messages = reclaims ? request.messages : await listNewMessages(deps, request, binding, call);
  const connection = connections.find(({ id }) => id === binding.upstreamAccountId);
  requireConnection(request, connection, connections);
  await resolveSelectedProject(deps, request, call, { binding });
  const profile = await requireProfile(deps, call.caller.workspaceId, request.routeProfile);
  if (connection && !isAllowedByProfile(profile, connection)) {
    throw new GatewayError('VALIDATION_ERROR', 'the profile excludes the account of the conversation', { param: PROFILE_HEADER });
  }
  requireContinuableStatus(binding.continuityStatus);
  const project = await requireActiveProject(deps, binding, call);
  const target = { messages, conversationId: binding.conversationId, sequence: binding.lastSequence + 1, binding, project };
  const plan = binding.started ? undefined : findPlanAnew(request, binding, connections, profile);
  const anew = plan && (await findChoiceAnew(deps, binding, plan, profile));
  if (anew) return { ...target, ...anew };
  if (!connection && binding.continuityStatus === 'available') recordContinuity(deps, binding.conversationId, 'access_lost', call.caller);
  if (!connection?.ready) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account of this conversation is not active');
  if (request.attachmentFileIds.length > 0 && !connection.provider.files)
    throw new GatewayError('UNSUPPORTED_FILE_TYPE', 'the account of this conversation takes no files', { param: 'attachment_file_ids' });
  return {
    ...target,
    reason: 'continued',
    connection,
    model: requireModel(request, binding, connection),
    probing: await admit(deps, connection, binding, call),
    hasSlot: false,
  };
}

/**
 * The connections that a conversation may start on while no upstream has accepted a turn of it. Undefined when it must stay on its
 * connection: the connection was named, the conversation is in an upstream project, or the request attaches files.
 */
function findPlanAnew(
  request: TurnRequest,
  binding: Binding,
  connections: readonly Connection[],
  profile: ProfileRow | undefined,
): ConnectionPlan | undefined {
  const stays = request.upstreamAccount || binding.accountNamed || binding.upstreamProjectId || request.attachmentFileIds.length > 0;
  if (stays) return undefined;
  const model = request.model === 'auto' ? profile?.model || 'auto' : request.model;
  const eligible = connections.filter(
    (connection) => connection.ready && connection.offersModel(model) && isAllowedByProfile(profile, connection),
  );
  return toConnectionPlan(eligible, model, profile);
}

/** Chooses the bound connection when it is healthy and did not fail the last turn, else another one; undefined when there is no other. */
async function findChoiceAnew(
  deps: TurnDeps,
  binding: Binding,
  plan: ConnectionPlan,
  profile: ProfileRow | undefined,
): Promise<(ConnectionChoice & Pick<Route, 'model' | 'plan' | 'reason'>) | undefined> {
  const failed = new Set(binding.lastTurn?.failedAccountIds);
  const all = plan.tiers.flat();
  const own = all.find(({ id }) => id === binding.upstreamAccountId);
  if (own?.admission() === 'closed' && !failed.has(own.id)) {
    const model = plan.model === 'auto' && own.offersModel(binding.model) ? binding.model : resolveModelName(own, plan.model);
    return { connection: own, probing: false, hasSlot: false, model, plan, reason: 'continued' };
  }
  const isElsewhere = all.some(({ id }) => id !== own?.id);
  if (!isElsewhere || (await hasConversationFiles(deps.store.database, binding.conversationId))) return undefined;
  const choice = (await acquireConnectionFromPlan(deps, withoutConnections(plan, failed))) ?? (await acquireConnectionFromPlan(deps, plan));
  if (!choice) return undefined;
  const reason = choice.connection === own ? 'continued' : toRouteReason({ profile, eligible: all.length });
  return { ...choice, model: resolveModelName(choice.connection, plan.model), plan, reason };
}

function requireConnection(request: TurnRequest, connection: Connection | undefined, connections: readonly Connection[]): void {
  if (!request.upstreamAccount || connection?.row.label === request.upstreamAccount) return;
  requireConnectionByLabel(connections, request.upstreamAccount);
  throw new GatewayError('VALIDATION_ERROR', 'the conversation is bound to another account', { param: CONNECTION_HEADER });
}

/** The upstream project of a conversation; undefined without one. Throws CONVERSATION_PROJECT_UNAVAILABLE when it no longer exists. */
async function requireActiveProject(
  deps: TurnDeps,
  { conversationId, upstreamProjectId }: Binding,
  { caller }: Call,
): Promise<RoutingProject | undefined> {
  if (!upstreamProjectId) return undefined;
  const project = await findActiveProject(deps, caller.workspaceId, upstreamProjectId);
  if (!project) {
    recordContinuity(deps, conversationId, 'project_unavailable', caller);
    requireContinuableStatus('project_unavailable');
  }
  return project;
}

/** Resolves the requested model. `auto` keeps the model that the conversation started with while its connection offers it. */
function requireModel({ model }: TurnRequest, binding: Binding, connection: Connection): string {
  const asked = model === 'auto' ? undefined : connection.resolveModel(model);
  if (model !== 'auto' && asked === undefined) throw unknownModelError([connection], model);
  return asked ?? connection.resolveModel(binding.model || 'auto') ?? connection.resolveModel('auto') ?? (binding.model || 'auto');
}

/** Admits the turn on the bound connection, or throws: a started conversation never moves. Returns true when the turn is the probe. */
async function admit(deps: TurnDeps, connection: Connection, binding: Binding, call: Call): Promise<boolean> {
  if (requireAdmission(deps, connection, binding, call) === 'closed') return false;
  if (await deps.connections.health.claimProbe(connection)) return true;
  throw new GatewayError('CONVERSATION_UPSTREAM_UNAVAILABLE', 'the account of this conversation is being probed', { retryAfterMs: 1_000 });
}

/**
 * The messages that a request adds to an existing conversation; all of them when the conversation has no messages yet. Throws
 * VALIDATION_ERROR when the request adds none.
 */
async function listNewMessages(deps: TurnDeps, request: TurnRequest, binding: Binding, call: Call): Promise<readonly TurnMessage[]> {
  const fresh = messagesAfterLastAnswer(request.messages);
  const messages = fresh.length === request.messages.length || !(await isEmpty(deps, binding, call)) ? fresh : request.messages;
  if (messages.length === 0)
    throw new GatewayError('VALIDATION_ERROR', 'there is no message after the last assistant message', { param: 'messages' });
  return messages;
}

/** Whether a conversation has no messages. An imported conversation has messages but no turns, so its history is read. */
async function isEmpty(deps: TurnDeps, { conversationId, lastSequence }: Binding, call: Call): Promise<boolean> {
  if (lastSequence > 0) return false;
  return (await readHistory(deps, { conversationId, beforeTurnId: '' }, call)).length === 0;
}
