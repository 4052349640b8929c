import { type ClearContinuityRequest } from '@parley/protos/conversation/v1/conversation';
import { clearContinuity as writeAvailable } from '../store/continuity.ts';
import { type Deps } from '../deps.ts';

/** Makes the conversations on a recovered connection available again, except those with another status. */
export async function clearContinuity({ store }: Deps, { upstreamAccountId }: ClearContinuityRequest): Promise<Record<string, never>> {
  await writeAvailable(store, upstreamAccountId);
  return {};
}
