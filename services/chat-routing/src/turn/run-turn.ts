import { type TurnRecord } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { busyError } from '../conversation/open-conversation.ts';
import { isRecordAway } from '../conversation/record-error.ts';
import { type TurnDeps } from './deps.ts';
import { discardAttempt } from './discard-attempt.ts';
import { moveTurn } from './fail-over.ts';
import { replayTurn } from './replay-turn.ts';
import { resolveRoute } from './resolve-route.ts';
import { type RunningTurns } from './running-turns.ts';
import { acquireSlot, releaseRoute } from './slot.ts';
import { type TurnCall, type TurnContext } from './turn-context.ts';
import { commitStart, toTurnStart } from './turn-start.ts';
import { Turn } from './turn.ts';

/**
 * One chat turn from the routing headers to the recorded outcome: resolves the route, commits the start, and puts the turn to its upstream. Throws
 * the refusal of a turn that never began; once it has, the outcome goes to the stream and the record.
 */
export async function runTurn(deps: TurnDeps, running: RunningTurns, turnCall: TurnCall): Promise<void> {
  const { request, stream, call } = turnCall;
  const route = await resolveRoute(deps, turnCall);
  const context: TurnContext = { request, route, messages: route.messages, start: toTurnStart(request, route), stream, call };
  const openTurn = () => running.open((settled) => new Turn(deps, context, settled));
  if (!route.binding && !request.idempotencyKey) return askBesideStart(deps, context, openTurn);

  const started = await releasedOnError(deps, context, () => commitStart(deps, context));
  if (started.outcome === 'begun') return askAfterStart(deps, context, started, openTurn());
  releaseRoute(deps, route);
  if (started.outcome === 'outrun') return runTurn(deps, running, { request: { ...request, retry: false }, stream, call });
  const { turn } = started;
  if (turn.status === 'completed') return replayTurn(request, turn, stream);
  return runTurn(deps, running, await toRepeatedCall(deps, turnCall, turn));
}

/** A new conversation, which no other request can know yet: the upstream is asked while the start is being committed. */
async function askBesideStart(deps: TurnDeps, context: TurnContext, openTurn: () => Turn): Promise<void> {
  const { route, start, call } = context;
  if (!route.hasSlot) await releasedOnError(deps, context, () => acquireSlot(route, call));
  const turn = openTurn();
  turn.start();
  try {
    const { outcome } = await deps.recorder.begin(start, call.caller);
    if (outcome !== 'begun') throw new GatewayError('INTERNAL_ERROR', 'the record knows a turn of a new conversation');
  } catch (error) {
    return turn.startLost(toGatewayError(error));
  }
  turn.startCommitted();
}

/** A conversation that goes on, or a request with a key: the start is committed, so that the upstream is asked once. */
async function askAfterStart(
  deps: TurnDeps,
  context: TurnContext,
  { upstreamState, askedTurnId }: { upstreamState: string; askedTurnId: string },
  turn: Turn,
): Promise<void> {
  const { route, start, call } = context;
  turn.startCommitted();
  const boundTo = route.binding?.upstreamAccountId ?? route.account.id;
  if (boundTo === route.account.id) return turn.start({ upstreamState, askedTurnId, upstreamTurnId: askedTurnId });
  if (!(await moveToChosen(deps, context, turn))) return;
  await discardLeft(deps, call.caller.workspaceId, boundTo, askedTurnId);
  turn.start({ upstreamState: '', askedTurnId, upstreamTurnId: start.turnId });
}

/** Discards what an earlier attempt left on the connection that the conversation was bound to. */
async function discardLeft(deps: TurnDeps, workspaceId: string, connectionId: string, askedTurnId: string): Promise<void> {
  try {
    const left = (await deps.accounts.of(workspaceId)).find(({ id }) => id === connectionId);
    if (left) discardAttempt(deps, left, askedTurnId);
  } catch (err) {
    // The turn is on record and goes on; what is left holds no part of its answer.
    deps.log.warn({ err, connectionId }, 'an attempt could not be discarded');
  }
}

/** Moves a conversation that has not started to the connection of the route; false when the turn has ended for that. */
async function moveToChosen(deps: TurnDeps, context: TurnContext, turn: Turn): Promise<boolean> {
  try {
    if (await moveTurn(deps, context, context.route)) return true;
    turn.stop(busyError());
  } catch (error) {
    turn.stop(toGatewayError(error));
  }
  return false;
}

/** A request whose earlier turn did not complete runs again under its idempotency key, in the conversation of that turn. */
async function toRepeatedCall(deps: TurnDeps, { request, stream, call, reclaims }: TurnCall, earlier: TurnRecord): Promise<TurnCall> {
  await deps.recorder.releaseKey(earlier.turnId, call.caller);
  const { conversationId } = earlier;
  return { request: { ...request, conversationId }, stream, call, reclaims: reclaims || request.conversationId === '' };
}

/**
 * Releases the slot and the right to probe when the work fails. Where it is not known whether the turn began, `recorded` is sent: the record counts
 * the turn if it is there.
 */
async function releasedOnError<T>(deps: TurnDeps, { route, stream }: TurnContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    releaseRoute(deps, route);
    if (isRecordAway(error)) stream.write({ event: { $case: 'recorded', value: {} } }, 0);
    throw error;
  }
}
