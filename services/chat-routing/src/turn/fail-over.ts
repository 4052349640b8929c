import { pause } from '@parley/kit/lifecycle/pause';
import { type GatewayError } from '@parley/protos/errors';
import { acquireConnectionFromPlan, withoutConnections } from '../connections/connection-plan.ts';
import { resolveModelName } from '../connections/eligible-connections.ts';
import { mayFailOver } from '../domain/error-effects.ts';
import { hasConversationFiles } from '../store/files.ts';
import { type AttemptLog } from './attempt-log.ts';
import { type Route } from './route.ts';
import { acquireSlot, releaseRoute } from './slot.ts';
import { type TurnContext } from './turn-context.ts';
import { type TurnDeps } from './turn-deps.ts';

/** Mean pause before the same connection is retried when it refused the TCP connection; it may be restarting. */
const REPEAT_MS = 200;

/** A turn whose last attempt failed before an upstream accepted it. */
export interface FailedTurn {
  context: TurnContext;
  /** The route of the last attempt. */
  route: Route;
  attempts: AttemptLog;
  error: GatewayError;
  /** Resolves to true when the start of the turn is committed, to false when the turn ends before. */
  startCommitted: () => Promise<boolean>;
}

/** Whether a turn that no upstream has accepted may be retried after this error, on the same connection or another one. */
export function canRetryTurn({ plan }: Route, { condition, upstream }: GatewayError): boolean {
  return upstream?.notSent === true || (plan !== undefined && mayFailOver(condition));
}

/**
 * Returns the route of the next attempt, with a slot acquired: another connection of the plan, or the same one once more when the request
 * was certainly not sent. Undefined when the turn must end. A move to another connection is committed before this resolves. Throws
 * SERVICE_UNAVAILABLE when the move could not be recorded, and whatever acquiring a slot throws.
 */
export async function acquireNextRoute(deps: TurnDeps, failed: FailedTurn): Promise<Route | undefined> {
  const other = await findOtherConnection(deps, failed);
  if (other) return (await take(deps, failed, other, true)) ? other : undefined;
  const { attempts, error, route } = failed;
  const isRepeated = attempts.errors.length > attempts.connections.size;
  if (!error.upstream?.notSent || isRepeated) return undefined;
  await pause(REPEAT_MS * (0.5 + Math.random()));
  const again = { ...route, hasSlot: false, probing: false };
  return (await take(deps, failed, again, false)) ? again : undefined;
}

async function findOtherConnection(deps: TurnDeps, { context, route, attempts, error }: FailedTurn): Promise<Route | undefined> {
  const { plan } = route;
  if (!plan || !attempts.canTryAnother || !mayFailOver(error.condition)) return undefined;
  // Files that were uploaded to the conversation exist only at its connection.
  if (route.binding && (await hasConversationFiles(deps.store.database, context.start.conversationId))) return undefined;
  const choice = await acquireConnectionFromPlan(deps, withoutConnections(plan, attempts.connections));
  return choice && { ...route, ...choice, model: resolveModelName(choice.connection, plan.model) };
}

/** Acquires a slot and, when `moves`, commits the move to the connection; false when the turn has ended in the meantime. */
async function take(deps: TurnDeps, { context, startCommitted }: FailedTurn, route: Route, moves: boolean): Promise<boolean> {
  try {
    await acquireSlot(route, context.call);
    if (!moves || ((await startCommitted()) && (await moveTurn(deps, context, route)))) return true;
  } catch (error) {
    releaseRoute(deps, route);
    throw error;
  }
  releaseRoute(deps, route);
  return false;
}

/** Commits the move of a turn to the connection of a route; false when the turn has ended or its conversation has started elsewhere. */
export function moveTurn(
  { recorder }: TurnDeps,
  { start, onBehalf }: Pick<TurnContext, 'start' | 'onBehalf'>,
  route: Route,
): Promise<boolean> {
  const { turnId, conversationId } = start;
  return recorder.move({ turnId, conversationId, upstreamAccountId: route.connection.id, model: route.model }, onBehalf);
}
