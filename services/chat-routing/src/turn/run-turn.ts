import { type Call } from '@parley/kit/rpc/call';
import { type ServerStream } from '@parley/kit/rpc/multiplexed-call';
import { type TurnBegun, type TurnRecord } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type TurnEvent, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { begin, beginningOf, busyError } from './beginning.ts';
import { type TurnDeps } from './deps.ts';
import { discardAttempt } from './discard-attempt.ts';
import { moveTurn } from './fail-over.ts';
import { type TurnParts } from './parts.ts';
import { isRecordAway } from './record-error.ts';
import { resolveRoute } from './resolve-route.ts';
import { release, takeRoom } from './room.ts';
import { type Route } from './route.ts';
import { type RunningTurns } from './running-turns.ts';
import { Turn } from './turn.ts';

/**
 * One chat turn (spec §4.2) from the routing headers to the recorded outcome. Throws the coded refusal of a turn that never began;
 * once it has, the outcome reaches the outlet and the record. `reclaims`: the request did not know the conversation that it goes on in, so
 * everything it says is new.
 */
export async function runTurn(
  deps: TurnDeps,
  running: RunningTurns,
  request: TurnRequest,
  outlet: ServerStream<TurnEvent>,
  call: Call,
  { reclaims = false } = {},
): Promise<void> {
  const route = await resolveRoute(deps, request, call, reclaims);
  const beginning = beginningOf(request, route);
  const parts = { request, route, messages: route.messages, beginning, outlet, call };
  const takeTurn = () => {
    const turn = new Turn(deps, parts, () => running.delete(turn));
    running.add(turn);
    return turn;
  };

  if (!route.binding && !request.idempotencyKey) {
    if (!route.hasRoom) await unlessRefused(deps, route, outlet, () => takeRoom(route, call));
    // Nobody else can know this conversation yet, so the upstream is asked beside the commit.
    const turn = takeTurn();
    turn.start('');
    await deps.recorder
      .begin(beginning, call.caller)
      .then(requireBegun)
      .then(
        () => turn.committed(),
        (error: unknown) => turn.abandon(toGatewayError(error)),
      );
    return;
  }

  const begun = await unlessRefused(deps, route, outlet, () => begin(deps, request, beginning, route, call));
  if (!begun || begun.earlier) {
    release(deps, route);
    const { earlier } = begun ?? {};
    if (!earlier) return runTurn(deps, running, { ...request, retry: false }, outlet, call);
    if (earlier.status === 'completed') return replay(request, earlier, outlet);
    // What did not complete is asked anew under its key, in its conversation.
    await deps.recorder.releaseKey(earlier.turnId, call.caller);
    const again = { ...request, conversationId: earlier.conversationId };
    return runTurn(deps, running, again, outlet, call, { reclaims: reclaims || request.conversationId === '' });
  }
  const turn = takeTurn();
  turn.committed();
  const { upstreamAccountId = route.account.id } = route.binding ?? {};
  if (upstreamAccountId === route.account.id) return turn.start(begun.upstreamState, begun.askedTurnId);
  if (!(await moveFirst(deps, parts, turn))) return;
  const before = (await deps.accounts.of(call.caller.workspaceId)).find(({ id }) => id === upstreamAccountId);
  if (before) discardAttempt(deps, before, begun.askedTurnId);
  turn.start('', begun.askedTurnId, beginning.turnId);
}

/** A conversation that has not started goes to another account than it was created on; false when the turn is over for that. */
async function moveFirst(deps: TurnDeps, parts: TurnParts, turn: Turn): Promise<boolean> {
  try {
    if (await moveTurn(deps, parts, parts.route)) return true;
    turn.stop(busyError());
  } catch (error) {
    turn.stop(toGatewayError(error));
  }
  return false;
}

/** A conversation that nobody else knows has no other turn. */
function requireBegun({ outcome }: TurnBegun): void {
  if (outcome !== 'begun') throw new GatewayError('INTERNAL_ERROR', 'the record knows a turn of a new conversation');
}

/** Gives the right to probe back when the turn does not begin. One that may have begun for all anybody knows is the record's to count. */
async function unlessRefused<T>(deps: TurnDeps, route: Route, outlet: ServerStream<TurnEvent>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    release(deps, route);
    if (isRecordAway(error)) outlet.write({ event: { $case: 'recorded', value: {} } }, 0);
    throw error;
  }
}

/** Answers a repeated request with the result of its first turn, which completed. */
function replay(request: TurnRequest, earlier: TurnRecord, outlet: ServerStream<TurnEvent>): void {
  const { conversationId, assistantMessageId, model, text, reasoning, finishReason, tokensIn, tokensOut, assetIds } = earlier;
  const created = Math.floor((earlier.startedAt?.getTime() ?? 0) / 1000);
  outlet.write({ event: { $case: 'accepted', value: { conversationId, messageId: assistantMessageId, model, created } } }, 0);
  if (request.stream && reasoning) outlet.write({ event: { $case: 'reasoning', value: { texts: [reasoning] } } }, reasoning.length);
  if (request.stream && text) outlet.write({ event: { $case: 'deltas', value: { texts: [text] } } }, text.length);
  if (assetIds.length > 0) outlet.write({ event: { $case: 'assets', value: { ids: assetIds } } }, 0);
  const whole = request.stream ? { text: '', reasoning: '' } : { text, reasoning };
  outlet.end({ event: { $case: 'completed', value: { finishReason, tokensIn, tokensOut, ...whole } } }, text.length + reasoning.length);
}
