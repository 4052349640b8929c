import { type Action, type SetActionEnabledRequest } from '@parley/protos/actions/v1/actions';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { findAction, setActionStatus } from '../store/actions.ts';
import { toAction } from './action-view.ts';

/** Disables or enables an action; accepted runs continue. @throws ACTION_NOT_FOUND */
export async function setActionEnabled({ store: { database } }: Deps, { slug, enabled }: SetActionEnabledRequest): Promise<Action> {
  const changed = await setActionStatus(database, slug, enabled ? 'active' : 'disabled');
  const action = changed ? await findAction(database, slug) : undefined;
  if (!action) throw new GatewayError('ACTION_NOT_FOUND', 'the action does not exist');
  return toAction(action);
}
