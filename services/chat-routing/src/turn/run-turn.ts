import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Call } from '@parley/kit/rpc/call';
import { startSpan } from '@parley/kit/telemetry/tracer';
import { type TurnRecord } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { busyError } from '../conversation/open-conversation.ts';
import { isRecordUnavailable } from '../conversation/record-error.ts';
import { type TurnDeps } from './turn-deps.ts';
import { discardAttempt } from './discard-attempt.ts';
import { moveTurn } from './fail-over.ts';
import { replayTurn } from './replay-turn.ts';
import { resolveRoute } from './resolve-route.ts';
import { type RunningTurns } from './running-turns.ts';
import { acquireSlot, releaseRoute } from './slot.ts';
import { TurnClock } from './turn-clock.ts';
import { type TurnCall, type TurnContext } from './turn-context.ts';
import { commitStart, toTurnStart } from './turn-start.ts';
import { reportRefusal } from './turn-telemetry.ts';
import { Turn } from './turn.ts';

/** Characters of a model in the name of a span: at this point it may be anything. */
const MAX_MODEL = 200;
/** Above it each step over the messages of a turn takes a millisecond or more, and other requests are served between the steps. */
const MANY_MESSAGES = 1_000;

/**
 * One chat turn from the routing headers to the recorded outcome: resolves the route, commits the start, and puts the turn to its upstream. Throws
 * the refusal of a turn that never began; once it has, the outcome goes to the stream and the record.
 */
export async function runTurn(deps: TurnDeps, running: RunningTurns, asked: Pick<TurnCall, 'request' | 'stream' | 'call'>): Promise<void> {
  const turnCall = toTurnCall(asked);
  try {
    await beginTurn(deps, running, turnCall);
  } catch (error) {
    reportRefusal(turnCall, toGatewayError(error));
    throw error;
  }
}

/** The clock and the span of a turn begin with its request. */
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
  span.set({ 'gen_ai.conversation.id': start.conversationId, 'parley.turn.id': start.turnId, 'parley.route.reason': route.reason });
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

/** A new conversation, which no other request can know yet: the upstream is asked while the start is being committed. */
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
  const boundTo = route.binding?.upstreamAccountId ?? route.connection.id;
  if (boundTo === route.connection.id) return turn.start({ upstreamState, askedTurnId, upstreamTurnId: askedTurnId });
  if (!(await moveToChosen(deps, context, turn))) return;
  await discardLeft(deps, call, boundTo, askedTurnId);
  turn.start({ upstreamState: '', askedTurnId, upstreamTurnId: start.turnId });
}

/** Discards what an earlier attempt left on the connection that the conversation was bound to. */
async function discardLeft(deps: TurnDeps, { caller }: Call, connectionId: string, turnId: string): Promise<void> {
  const { workspaceId, requestId } = caller;
  try {
    const left = (await deps.connections.of(workspaceId)).find(({ id }) => id === connectionId);
    if (left) discardAttempt(deps, { connection: left, turnId, requestId });
  } catch (err) {
    // The turn is on record and goes on; what is left holds no part of its answer.
    deps.log.warn({ err, requestId, connectionId }, 'an attempt could not be discarded');
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
async function toRepeatedCall(deps: TurnDeps, turnCall: TurnCall, earlier: TurnRecord): Promise<TurnCall> {
  const { request, reclaims, onBehalf } = turnCall;
  await deps.recorder.releaseKey(earlier.turnId, onBehalf);
  const { conversationId } = earlier;
  return { ...turnCall, request: { ...request, conversationId }, reclaims: reclaims || request.conversationId === '' };
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
    if (isRecordUnavailable(error)) stream.write({ event: { $case: 'recorded', value: {} } }, 0);
    throw error;
  }
}
