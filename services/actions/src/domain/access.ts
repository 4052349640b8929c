import { isUuid } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/protos/common/v1/caller';
import { GatewayError } from '@parley/protos/errors';
import { type StoredRun } from './run.ts';

/** Returns the id of the caller's workspace. @throws ACTION_RUN_NOT_FOUND for a caller without one */
export function requireWorkspaceId({ workspaceId }: Caller): string {
  if (!isUuid(workspaceId)) throw new GatewayError('ACTION_RUN_NOT_FOUND', 'runs belong to workspaces, and the caller is of none');
  return workspaceId;
}

/** Returns the run if it exists and belongs to the caller's workspace and to the action `slug`. @throws ACTION_RUN_NOT_FOUND */
export function requireAccessibleRun<T extends Pick<StoredRun, 'workspaceId' | 'slug'>>(
  run: T | undefined,
  slug: string,
  caller: Caller,
): T {
  if (run?.workspaceId !== requireWorkspaceId(caller) || run.slug !== slug) {
    throw new GatewayError('ACTION_RUN_NOT_FOUND', 'the run does not exist');
  }
  return run;
}
