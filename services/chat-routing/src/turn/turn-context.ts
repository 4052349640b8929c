import { type Call } from '@parley/kit/rpc/call';
import { type ServerStream } from '@parley/kit/rpc/multiplexed-call';
import { type BeginTurn } from '@parley/protos/conversation/v1/conversation';
import { type TurnEvent, type TurnMessage, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type Route } from './route.ts';

/** A request for a turn, and where its events go. */
export interface TurnCall {
  request: TurnRequest;
  stream: ServerStream<TurnEvent>;
  call: Call;
  /** The request did not name the conversation that it goes on in, so that all of its messages are new. */
  reclaims?: boolean;
}

/** The ids of a turn and what it adds to its conversation, as the record commits them. */
export type TurnStart = Omit<BeginTurn, 'runnerId'>;

/** What a turn consists of once its connection is chosen. */
export interface TurnContext {
  request: TurnRequest;
  /** Where the first attempt goes. */
  route: Route;
  /** What is sent to the upstream. */
  messages: readonly TurnMessage[];
  start: TurnStart;
  /** The events for the client. */
  stream: ServerStream<TurnEvent>;
  call: Call;
}
