import { type Call } from '@parley/kit/rpc/call';
import { type ServerStream } from '@parley/kit/rpc/multiplexed-call';
import { type BeginTurn } from '@parley/protos/conversation/v1/conversation';
import { type TurnEvent, type TurnMessage, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type Span } from '@parley/kit/telemetry/span';
import { type OnBehalf } from './on-behalf.ts';
import { type Route } from './route.ts';
import { type TurnClock } from './turn-clock.ts';

/** A request for a turn, and where its events go. */
export interface TurnCall {
  request: TurnRequest;
  stream: ServerStream<TurnEvent>;
  call: Call;
  /** The request did not name the conversation that it goes on in, so that all of its messages are new. */
  reclaims?: boolean;
  clock: TurnClock;
  /** Of the whole turn. */
  span: Span;
  /** What is written of the turn is written for its caller, in its trace. */
  onBehalf: OnBehalf;
}

/** The ids of a turn and what it adds to its conversation, as the record commits them. */
export type TurnStart = Omit<BeginTurn, 'runnerId'>;

/** What a turn consists of once its connection is chosen. */
export interface TurnContext extends Omit<TurnCall, 'reclaims'> {
  /** Where the first attempt goes. */
  route: Route;
  /** What is sent to the upstream. */
  messages: readonly TurnMessage[];
  start: TurnStart;
}
