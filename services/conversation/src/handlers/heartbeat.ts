import { type HeartbeatRequest } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { requireUuid } from '../domain/turn-request.ts';
import { closeRunnerTurns } from '../reaper/close-abandoned-turns.ts';
import { recordHeartbeat } from '../store/runners.ts';

/** Records the heartbeat of a runner, and closes the turns that its earlier incarnations left open. @throws VALIDATION_ERROR. */
export async function heartbeat({ store }: Deps, { runnerId, runnerName }: HeartbeatRequest): Promise<Record<string, never>> {
  if (runnerName === '') throw new GatewayError('VALIDATION_ERROR', 'runner_name is empty', { param: 'runner_name' });
  const replaced = await recordHeartbeat(store.database.generalPool, requireUuid('runner_id', runnerId), runnerName);
  for (const earlier of replaced) await closeRunnerTurns(store, earlier);
  return {};
}
