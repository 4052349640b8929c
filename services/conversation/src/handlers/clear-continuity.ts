import { type ClearContinuityRequest } from '@parley/protos/conversation/v1/conversation';
import { type Deps } from '../deps.ts';
import { clearContinuity as writeAvailable } from '../store/continuity.ts';

/** Sets the conversations on a recovered connection to `available`, except those with a status of the conversation itself. */
export async function clearContinuity({ store }: Deps, { upstreamAccountId }: ClearContinuityRequest): Promise<Record<string, never>> {
  await writeAvailable(store, upstreamAccountId);
  return {};
}
