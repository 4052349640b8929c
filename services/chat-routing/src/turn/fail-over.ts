import { pause } from '@parley/kit/lifecycle/pause';
import { type GatewayError } from '@parley/protos/errors';
import { mayGoElsewhere } from '../domain/failure.ts';
import { chooseFrom, withoutAccounts } from './account-plan.ts';
import { type AttemptLog } from './attempt-log.ts';
import { modelOn } from './choose-account.ts';
import { type TurnDeps } from './deps.ts';
import { type TurnParts } from './parts.ts';
import { release, takeRoom } from './room.ts';
import { type Route } from './route.ts';

/** A connection that refuses connections is asked once more after about this long: it may just be starting. */
const REPEAT_MS = 200;

/** A turn whose last attempt failed before an upstream accepted it. */
export interface FailedTurn {
  parts: TurnParts;
  /** Where the last attempt went. */
  route: Route;
  attempts: AttemptLog;
  error: GatewayError;
  /** Waits until the beginning of the turn is committed; false when the turn is over before. */
  begun: () => Promise<boolean>;
}

/** Whether a turn that no upstream has accepted may be asked again after this failure, here or elsewhere. */
export function mayTryAgain({ plan }: Route, { condition, upstream }: GatewayError): boolean {
  return upstream?.notSent === true || (plan !== undefined && mayGoElsewhere(condition));
}

/**
 * Where a turn that no upstream has accepted goes next, with room there: another connection of its plan, or its own once more where the request
 * was certainly not sent. Undefined where it ends. The record knows of the new account when this resolves; throws SERVICE_UNAVAILABLE where it
 * could not be told, and what waiting for room throws.
 */
export async function nextRoute(deps: TurnDeps, failed: FailedTurn): Promise<Route | undefined> {
  const other = await otherAccount(deps, failed);
  if (other) return (await take(deps, failed, other, true)) ? other : undefined;
  const { attempts, error, route } = failed;
  const isRepeated = attempts.errors.length > attempts.connections.size;
  if (!error.upstream?.notSent || isRepeated) return undefined;
  await pause(REPEAT_MS * (0.5 + Math.random()));
  const again = { ...route, hasRoom: false, probing: false };
  return (await take(deps, failed, again, false)) ? again : undefined;
}

async function otherAccount(deps: TurnDeps, { parts, route, attempts, error }: FailedTurn): Promise<Route | undefined> {
  const { plan } = route;
  if (!plan || !attempts.hasMore || !mayGoElsewhere(error.condition)) return undefined;
  // What was uploaded to the conversation is on its account.
  if (route.binding && (await deps.files.hasFiles(parts.beginning.conversationId))) return undefined;
  const choice = await chooseFrom(deps, withoutAccounts(plan, attempts.connections));
  return choice && { ...route, ...choice, model: modelOn(choice.account, plan.model) };
}

/** Takes room on the account and, where it is another one, moves the turn there; false when the turn is over meanwhile. */
async function take(deps: TurnDeps, { parts, begun }: FailedTurn, route: Route, moves: boolean): Promise<boolean> {
  try {
    await takeRoom(route, parts.call);
    if (!moves || ((await begun()) && (await moveTurn(deps, parts, route)))) return true;
  } catch (error) {
    release(deps, route);
    throw error;
  }
  release(deps, route);
  return false;
}

/** Commits that a turn is put to the account of a route; false when it has ended, or its conversation has started elsewhere. */
export function moveTurn(
  { recorder }: TurnDeps,
  { beginning, call }: Pick<TurnParts, 'beginning' | 'call'>,
  route: Route,
): Promise<boolean> {
  const { turnId, conversationId } = beginning;
  return recorder.move({ turnId, conversationId, upstreamAccountId: route.account.id, model: route.model }, call.caller);
}
