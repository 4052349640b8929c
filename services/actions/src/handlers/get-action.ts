import { type Action, type ActionRequest } from '@parley/protos/actions/v1/actions';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { findAction } from '../store/actions.ts';
import { toAction } from './action-view.ts';

/** Returns an action. @throws ACTION_NOT_FOUND when it is unknown or disabled */
export async function getAction({ store: { database } }: Deps, { slug }: ActionRequest): Promise<Action> {
  const action = await findAction(database, slug);
  if (action?.status !== 'active') throw new GatewayError('ACTION_NOT_FOUND', 'the action does not exist, or is not published');
  return toAction(action);
}
