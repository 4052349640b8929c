import { type MultiplexedHandler } from '@parley/kit/rpc/multiplexed-call';
import { type TurnEvent, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type TurnDeps } from '../turn/deps.ts';
import { runTurn } from '../turn/run-turn.ts';
import { type RunningTurns } from '../turn/running-turns.ts';

/** RPC Turns: one multiplexed call for each chat turn. */
export function turns(deps: TurnDeps, running: RunningTurns): MultiplexedHandler<TurnRequest, TurnEvent> {
  return (request, stream, call) => runTurn(deps, running, { request, stream, call });
}
