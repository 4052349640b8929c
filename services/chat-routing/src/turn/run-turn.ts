import { type Call } from '@parley/kit/rpc/call';
import { type Outlet } from '@parley/kit/rpc/exchange';
import { fromWire } from '@parley/kit/rpc/status';
import { type TurnBegun, type TurnRecord } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type TurnEvent, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { begin, beginningOf } from './beginning.ts';
import { type TurnDeps } from './deps.ts';
import { isRecordAway } from './record-error.ts';
import { resolveRoute } from './resolve-route.ts';
import { giveRoomBack, takeRoom } from './room.ts';
import { type Route } from './route.ts';
import { type RunningTurns } from './running-turns.ts';
import { Turn } from './turn.ts';

/**
 * One chat turn (spec §4.2) from the routing headers to the recorded outcome. Throws the coded refusal of a turn that never began;
 * once it has, the outcome reaches the outlet and the record.
 */
export async function runTurn(
  deps: TurnDeps,
  running: RunningTurns,
  request: TurnRequest,
  outlet: Outlet<TurnEvent>,
  call: Call,
): Promise<void> {
  const route = await resolveRoute(deps, request, call);
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
    giveRoomBack(route);
    if (route.probing) deps.accounts.health.releaseProbe(route.account);
    return begun?.earlier ? replay(request, begun.earlier, outlet) : runTurn(deps, running, { ...request, retry: false }, outlet, call);
  }
  const turn = takeTurn();
  turn.committed();
  turn.start(begun.upstreamState, begun.askedTurnId);
}

/** A conversation that nobody else knows has no other turn. */
function requireBegun({ outcome }: TurnBegun): void {
  if (outcome !== 'begun') throw new GatewayError('INTERNAL_ERROR', 'the record knows a turn of a new conversation');
}

/** Gives the right to probe back when the turn does not begin. One that may have begun for all anybody knows is the record's to count. */
async function unlessRefused<T>(deps: TurnDeps, route: Route, outlet: Outlet<TurnEvent>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    giveRoomBack(route);
    if (route.probing) deps.accounts.health.releaseProbe(route.account);
    if (isRecordAway(error)) outlet.write({ event: { $case: 'recorded', value: {} } }, 0);
    throw error;
  }
}

/** Answers a repeated request with the result of its first turn. */
function replay(request: TurnRequest, earlier: TurnRecord, outlet: Outlet<TurnEvent>): void {
  const { conversationId, assistantMessageId, model, text, tokensIn, tokensOut } = earlier;
  if (earlier.status === 'failed') {
    outlet.write({ event: { $case: 'recorded', value: {} } }, 0);
    return outlet.fail(
      earlier.error ? fromWire(earlier.error) : new GatewayError('PROVIDER_UNAVAILABLE', 'the first turn with this Idempotency-Key failed'),
    );
  }
  const created = Math.floor((earlier.startedAt?.getTime() ?? 0) / 1000);
  outlet.write({ event: { $case: 'accepted', value: { conversationId, messageId: assistantMessageId, model, created } } }, 0);
  if (request.stream && text) outlet.write({ event: { $case: 'deltas', value: { texts: [text] } } }, text.length);
  // An interrupted answer is incomplete, which `length` says in the field's terms.
  const isInterrupted = earlier.status === 'interrupted';
  const finishReason = isInterrupted ? 'length' : earlier.finishReason;
  const completed = { finishReason, tokensIn, tokensOut, text: request.stream ? '' : text, ...(isInterrupted && { interrupted: true }) };
  outlet.end({ event: { $case: 'completed', value: completed } }, text.length);
}
