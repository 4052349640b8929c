import { startSpan } from '@parley/kit/telemetry/tracer';
import { toGatewayError } from '@parley/protos/errors';
import { type Connection } from '../connections/connection.ts';
import { requireAttachments } from './attachments.ts';
import { endSpan } from './end-span.ts';
import { routeExistingConversation } from './route-existing-conversation.ts';
import { routeNewConversation } from './route-new-conversation.ts';
import { routeReclaimedConversation } from './route-reclaimed-conversation.ts';
import { type Route } from './route.ts';
import { type TurnCall } from './turn-context.ts';
import { type TurnDeps } from './turn-deps.ts';

/**
 * Resolves the routing headers and attachments of a request to a route. Throws the coded error when they do not match or cannot be served.
 */
export async function resolveRoute(deps: TurnDeps, turnCall: TurnCall): Promise<Route> {
  const { request, call } = turnCall;
  const span = startSpan('choose_connection', { parent: turnCall.span });
  try {
    const files = request.attachmentFileIds.length > 0 ? await requireAttachments(deps, request, call) : undefined;
    const loaded = deps.connections.listChat(call.caller.workspaceId);
    const connections = loaded instanceof Promise ? await loaded : loaded;
    const route = await findRoute(deps, turnCall, connections);
    span.setAttributes({ 'parley.connection.id': route.connection.id, 'parley.route.reason': route.reason });
    endSpan(span);
    return files ? { ...route, files } : route;
  } catch (error) {
    endSpan(span, toGatewayError(error));
    throw error;
  }
}

function findRoute(deps: TurnDeps, turnCall: TurnCall, connections: readonly Connection[]): Promise<Route> {
  const { request, call } = turnCall;
  if (request.conversationId) return routeExistingConversation(deps, turnCall, connections);
  if (!request.retry) return routeNewConversation(deps, request, call, connections);
  return routeReclaimedConversation(deps, turnCall, connections).then(
    (reclaimed) => reclaimed ?? routeNewConversation(deps, request, call, connections),
  );
}
