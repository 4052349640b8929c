import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type GetRequestRequest, type RequestStory } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { toStorableText } from '../domain/storable-text.ts';
import { toTurnStartRange } from '../domain/turn-id-range.ts';
import { listTurnsOfRequest } from '../store/turn-details.ts';
import { requireOperator } from './require-operator.ts';
import { toTurnStory } from './turn-story-view.ts';

/**
 * Returns the turns of the request with this id, including streaming ones, or the turn with this id.
 *
 * @throws REQUEST_NOT_FOUND; TENANT_ACCESS_DENIED for a caller with a key.
 */
export async function getRequest({ store: { database } }: Deps, { id }: GetRequestRequest, { caller }: Call): Promise<RequestStory> {
  requireOperator(caller);
  const turns = await listTurnsOfRequest(database.generalPool, toStorableText(id), toTurnStartRange(id), isUuid(id) ? id : null);
  if (turns.length === 0) throw new GatewayError('REQUEST_NOT_FOUND', 'no turn has this id, or is of a request with this id');
  return { turns: turns.map(toTurnStory) };
}
