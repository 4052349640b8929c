import { type Connection } from '../connections/connection.ts';
import { isOutcomeUncertain } from '../conversation/conversation-errors.ts';
import { findEarlierTurn } from '../conversation/find-earlier-turn.ts';
import { routeExistingConversation } from './route-existing-conversation.ts';
import { type Route } from './route.ts';
import { releaseRoute } from './slot.ts';
import { type TurnCall } from './turn-context.ts';
import { type TurnDeps } from './turn-deps.ts';

/**
 * Returns the route of a retry into the conversation that its first attempt created, when no upstream accepted that attempt, so that no
 * second conversation with the same message is created (ADR 0013). Undefined when there is no such conversation or its connection cannot
 * accept the turn now. Only requests that declare themselves retries look it up, so first attempts pay no cost.
 */
export async function routeReclaimedConversation(
  deps: TurnDeps,
  { request, call }: Pick<TurnCall, 'request' | 'call'>,
  connections: readonly Connection[],
): Promise<Route | undefined> {
  // With an idempotency key, the commit of the start finds the first attempt.
  if (!request.retry || request.idempotencyKey || request.requestDigest.length === 0) return undefined;
  const refused = await findEarlierTurn(deps, { $case: 'refusedDigest', value: request.requestDigest }, call);
  if (!refused) return undefined;
  const { conversationId, turnId } = refused;
  const reclaiming = { request: { ...request, conversationId }, call, reclaims: true };
  const route = await routeExistingConversation(deps, reclaiming, connections).catch((error: unknown) => {
    if (isOutcomeUncertain(error)) throw error;
    return undefined;
  });
  // Another retry of the same request may have been faster.
  if (route?.binding?.lastTurn?.turnId === turnId) return { ...route, reclaimed: true };
  if (route) releaseRoute(deps, route);
  return undefined;
}
