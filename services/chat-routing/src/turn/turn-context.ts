import { type Call } from '@parley/kit/rpc/call';
import { type ServerStream } from '@parley/kit/rpc/multiplexed-call';
import { type Span } from '@parley/kit/telemetry/span';
import { type BeginTurn } from '@parley/protos/conversation/v1/conversation';
import { type TurnEvent, type TurnMessage, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type Route } from './route.ts';
import { type TurnCaller } from './turn-caller.ts';
import { type TurnClock } from './turn-clock.ts';

/** A request for a turn, with the stream that receives its events. */
export interface TurnCall {
  request: TurnRequest;
  stream: ServerStream<TurnEvent>;
  call: Call;
  /** The conversation was found for the request rather than named by it, so all of the request's messages are new. */
  reclaims?: boolean;
  clock: TurnClock;
  /** Span of the whole turn. */
  span: Span;
  /** Caller and span for writes about the turn. */
  onBehalf: TurnCaller;
}

/** The start of a turn: its ids and the messages that it adds, as committed by the conversation service. */
export type TurnStart = Omit<BeginTurn, 'runnerId'>;

/** Everything about a turn that is fixed once its connection is chosen. */
export interface TurnContext extends Omit<TurnCall, 'reclaims'> {
  /** The route of the first attempt. */
  route: Route;
  /** The messages that are sent to the upstream. */
  messages: readonly TurnMessage[];
  start: TurnStart;
}
