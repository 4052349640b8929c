import { type Call } from '@parley/kit/rpc/call';
import { startSpan } from '@parley/kit/telemetry/tracer';
import { type TurnRecord } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { isOutcomeUncertain } from '../conversation/conversation-errors.ts';
import { conversationBusyError } from '../conversation/read-conversation-binding.ts';
import { discardAttempt } from './discard-attempt.ts';
import { moveTurn } from './fail-over.ts';
import { replayTurn } from './replay-turn.ts';
import { resolveRoute } from './resolve-route.ts';
import { type RunningTurns } from './running-turns.ts';
import { acquireSlot, releaseRoute } from './slot.ts';
import { TurnClock } from './turn-clock.ts';
import { type TurnCall, type TurnContext } from './turn-context.ts';
import { type TurnDeps } from './turn-deps.ts';
import { commitStart, toTurnStart } from './turn-start.ts';
import { reportRejectedTurn } from './turn-telemetry.ts';
import { Turn } from './turn.ts';

/** Maximum characters of the model in a span name; the model is not validated at this point. */
const MAX_MODEL = 200;
/** Above this count each pass over a turn's messages takes a millisecond or more, so the event loop is yielded between passes. */
const MANY_MESSAGES = 1_000;

/**
 * Runs one chat turn: resolves the route, commits the start, and sends the turn to its upstream. Throws the error of a turn that never
 * began; once it has begun, the outcome goes to the stream and the turn record.
 */
export async function runTurn(deps: TurnDeps, running: RunningTurns, asked: Pick<TurnCall, 'request' | 'stream' | 'call'>): Promise<void> {
  const turnCall = toTurnCall(asked);
  try {
    await beginTurn(deps, running, turnCall);
  } catch (error) {
    reportRejectedTurn(turnCall, toGatewayError(error));
    throw error;
  }
}

/** Creates the call with its clock and span, which both start when the request arrives. */
function toTurnCall({ request, stream, call }: Pick<TurnCall, 'request' | 'stream' | 'call'>): TurnCall {
  const model = request.model.slice(0, MAX_MODEL);
  const span = startSpan(`chat ${model}`, {
    parent: call.parent,
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model, 'parley.request.id': call.caller.requestId },
  });
  return { request, stream, call, clock: new TurnClock(request.edgeMs), span, onBehalf: { caller: call.caller, span } };
}

async function beginTurn(deps: TurnDeps, running: RunningTurns, turnCall: TurnCall): Promise<void> {
  const { request, stream, call, clock, span, onBehalf } = turnCall;
  const route = await resolveRoute(deps, turnCall);
  const start = toTurnStart(request, route);
  span.setAttributes({
    'gen_ai.conversation.id': start.conversationId,
    'parley.turn.id': start.turnId,
    'parley.route.reason': route.reason,
  });
  const context: TurnContext = { request, stream, call, clock, span, onBehalf, route, messages: route.messages, start };
  if (route.messages.length > MANY_MESSAGES) await letOthersRun();
  const openTurn = () => running.open((settled) => new Turn(deps, context, settled));
  if (!route.binding && !request.idempotencyKey) return askBesideStart(deps, context, openTurn);

  const started = await releasedOnError(deps, context, () => commitStart(deps, context));
  if (started.outcome === 'begun') return askAfterStart(deps, context, started, openTurn());
  releaseRoute(deps, route);
  if (started.outcome === 'outrun') return beginTurn(deps, running, { ...turnCall, request: { ...request, retry: false } });
  const { turn } = started;
  if (turn.status !== 'completed') return beginTurn(deps, running, await toRepeatedCall(deps, turnCall, turn));
  span.end();
  replayTurn(request, turn, stream);
}

/** Runs a turn of a new conversation, which no other request can know: calls the upstream in parallel with the commit of the start. */
async function askBesideStart(deps: TurnDeps, context: TurnContext, openTurn: () => Turn): Promise<void> {
  const { route, start, call, onBehalf } = context;
  if (!route.hasSlot) await releasedOnError(deps, context, () => acquireSlot(route, call));
  const turn = openTurn();
  turn.start();
  if (start.messages.length > MANY_MESSAGES) await letOthersRun();
  try {
    const { outcome } = await deps.recorder.begin(start, onBehalf);
    if (outcome !== 'begun') throw new GatewayError('INTERNAL_ERROR', 'the record knows a turn of a new conversation');
  } catch (error) {
    return turn.markStartFailed(toGatewayError(error));
  }
  turn.markStartCommitted();
}

/**
 * Runs a turn of an existing conversation or with an idempotency key, after its start is committed, so that the upstream is called once.
 */
async function askAfterStart(
  deps: TurnDeps,
  context: TurnContext,
  { upstreamState, askedTurnId }: { upstreamState: string; askedTurnId: string },
  turn: Turn,
): Promise<void> {
  const { route, start, call } = context;
  turn.markStartCommitted();
  const boundTo = route.binding?.upstreamAccountId ?? route.connection.id;
  if (boundTo === route.connection.id) return turn.start({ upstreamState, askedTurnId, upstreamTurnId: askedTurnId });
  if (!(await moveToChosen(deps, context, turn))) return;
  await discardLeft(deps, call, boundTo, askedTurnId);
  turn.start({ upstreamState: '', askedTurnId, upstreamTurnId: start.turnId });
}

/** Discards what an earlier attempt left at the connection that the conversation was bound to. Errors are logged. */
async function discardLeft(deps: TurnDeps, { caller }: Call, connectionId: string, turnId: string): Promise<void> {
  const { workspaceId, requestId } = caller;
  try {
    const left = (await deps.connections.listChat(workspaceId)).find(({ id }) => id === connectionId);
    if (left) discardAttempt(deps, { connection: left, turnId, requestId });
  } catch (err) {
    // The turn is recorded and continues; the leftovers are not part of its answer.
    deps.log.warn({ err, requestId, connectionId }, 'an attempt could not be discarded');
  }
}

/** Moves a conversation that has not started to the connection of the route; on failure stops the turn and returns false. */
async function moveToChosen(deps: TurnDeps, context: TurnContext, turn: Turn): Promise<boolean> {
  try {
    if (await moveTurn(deps, context, context.route)) return true;
    turn.stop(conversationBusyError());
  } catch (error) {
    turn.stop(toGatewayError(error));
  }
  return false;
}

/** Releases the idempotency key from the earlier, incomplete turn and returns the call for a repeated run in the same conversation. */
async function toRepeatedCall(deps: TurnDeps, turnCall: TurnCall, earlier: TurnRecord): Promise<TurnCall> {
  const { request, reclaims, onBehalf } = turnCall;
  await deps.recorder.releaseIdempotencyKey(earlier.turnId, onBehalf);
  const { conversationId } = earlier;
  return { ...turnCall, request: { ...request, conversationId }, reclaims: reclaims || request.conversationId === '' };
}

/**
 * Runs the work and, when it fails, releases the slot and the probe claim. When it is uncertain whether the start was committed, sends
 * `recorded` to the edge: the conversation service counts the turn if it has it.
 */
async function releasedOnError<T>(deps: TurnDeps, { route, stream }: TurnContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    releaseRoute(deps, route);
    if (isOutcomeUncertain(error)) stream.write({ event: { $case: 'recorded', value: {} } }, 0);
    throw error;
  }
}
