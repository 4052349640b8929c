import { type Call } from '@parley/kit/rpc/call';
import { type ServerStream } from '@parley/kit/rpc/multiplexed-call';
import { type TurnEvent, type TurnMessage, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type Beginning } from './beginning.ts';
import { type Route } from './route.ts';

/** What a turn is made of once its account is known. */
export interface TurnParts {
  request: TurnRequest;
  route: Route;
  /** What the upstream is asked. */
  messages: readonly TurnMessage[];
  beginning: Beginning;
  outlet: ServerStream<TurnEvent>;
  call: Call;
}
