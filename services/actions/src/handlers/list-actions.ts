import { type ListActionsRequest, type ListActionsResponse } from '@parley/protos/actions/v1/actions';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { listActions as list, type StoredAction } from '../store/actions.ts';
import { toAction } from './action-view.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** Returns a page of the published, enabled actions, by slug. @throws VALIDATION_ERROR */
export function listActions(deps: Deps, request: ListActionsRequest): Promise<ListActionsResponse> {
  return page(deps, 'active', request);
}

/** Returns a page of all published actions, disabled or not, by slug. @throws VALIDATION_ERROR */
export function listAllActions(deps: Deps, request: ListActionsRequest): Promise<ListActionsResponse> {
  return page(deps, undefined, request);
}

async function page(
  deps: Deps,
  status: StoredAction['status'] | undefined,
  { limit, offset }: ListActionsRequest,
): Promise<ListActionsResponse> {
  if (limit > MAX_LIMIT) throw new GatewayError('VALIDATION_ERROR', `limit is more than ${MAX_LIMIT}`, { param: 'limit' });
  const { actions, total } = await list(deps.store.database, status, { limit: limit || DEFAULT_LIMIT, offset });
  return { actions: actions.map(toAction), total };
}
