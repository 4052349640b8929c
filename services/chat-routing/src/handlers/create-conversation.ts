import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call, toDownstreamInit } from '@parley/kit/rpc/call';
import { type Conversation } from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';
import { type CreateConversationRequest } from '@parley/protos/routing/v1/routing';
import { requireAvailableConnection } from '../connections/connection-plan.ts';
import { listEligibleConnections, resolveModelName } from '../connections/eligible-connections.ts';
import { toClientError } from '../conversation/conversation-errors.ts';
import { type Deps } from '../deps.ts';
import { requireDefaultProject, requireSelectableProject } from '../projects/find-project.ts';
import { type RoutingProject } from '../store/routing-rules.ts';
import { CONNECTION_PARAM, requireOwnConnection } from './require-own-connection.ts';

const PROJECT_PARAM = 'upstream_project_id';
const RECORD_MS = 5_000;
/** Deadline of an import, which may contain thousands of messages. */
const IMPORT_MS = 25_000;

/**
 * RPC CreateConversation: creates a conversation on the named connection, or on the best one; its first turn creates it at the upstream.
 * With `imported` it starts with those messages. Throws TENANT_ACCESS_DENIED, CONNECTION_NOT_FOUND, the errors of an explicitly selected
 * connection or project in a turn, and INVALID_REQUEST for an unknown model.
 */
export async function createConversation(deps: Deps, request: CreateConversationRequest, call: Call): Promise<Conversation> {
  const { workspaceId } = call.caller;
  const connections = await deps.connections.listChat(workspaceId);
  const named = request.upstreamAccountId
    ? await requireOwnConnection(deps, connections, workspaceId, request.upstreamAccountId)
    : undefined;
  const project = await findSelectedProject(deps, request, workspaceId);
  if (connections.length === 0) throw new GatewayError('ACCOUNT_NOT_CONNECTED', 'the workspace has no connected chat account');
  const model = request.model || 'auto';
  const connection = requireAvailableConnection(listEligibleConnections(connections, { named, param: CONNECTION_PARAM, project, model }));
  const conversation = {
    conversationId: uuidv7(),
    title: request.title,
    upstreamAccountId: connection.id,
    upstreamProjectId: project?.id ?? '',
    model: resolveModelName(connection, model),
    accountNamed: named !== undefined,
  };
  const recorded =
    request.imported.length > 0
      ? deps.conversation.importConversation({ conversation, messages: request.imported }, toDownstreamInit(call, IMPORT_MS))
      : deps.conversation.createConversation(conversation, toDownstreamInit(call, RECORD_MS));
  return recorded.catch((error: unknown) => {
    throw call.abortReason ?? toClientError(error);
  });
}

/** The named project, else the default one when a project is required; undefined otherwise. */
async function findSelectedProject(
  deps: Deps,
  { upstreamProjectId, requireProject: isRequired }: CreateConversationRequest,
  workspaceId: string,
): Promise<RoutingProject | undefined> {
  if (upstreamProjectId) return requireSelectableProject(deps, workspaceId, upstreamProjectId, PROJECT_PARAM);
  return isRequired ? requireDefaultProject(deps, workspaceId, PROJECT_PARAM) : undefined;
}
