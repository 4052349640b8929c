import { type Call } from '@parley/kit/rpc/call';
import { type ServerStream } from '@parley/kit/rpc/multiplexed-call';
import { type TurnEvent, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type Deps } from '../deps.ts';
import { runTurn } from '../turn/run-turn.ts';

/** RPC Turns: runs one chat turn per multiplexed call and streams its events. */
export function turns(deps: Deps, request: TurnRequest, stream: ServerStream<TurnEvent>, call: Call): Promise<void> {
  return runTurn(deps, deps.running, { request, stream, call });
}
