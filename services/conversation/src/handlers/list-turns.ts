import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type ListTurnsRequest, type ListTurnsResponse } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { toStorableText } from '../domain/storable-text.ts';
import { UUID_BOUNDS, toLowestUuid } from '../domain/turn-id-range.ts';
import { requireUuid } from '../domain/turn-request.ts';
import { type TurnIdRange, listTurnDetails } from '../store/turn-details.ts';
import { requireOperator } from './require-operator.ts';
import { toTurnStory } from './turn-story-view.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/**
 * Lists turns of all workspaces, newest first. The cursor is the id of the last turn that was read.
 *
 * @throws VALIDATION_ERROR; TENANT_ACCESS_DENIED for a caller with a key.
 */
export async function listTurns({ store: { database } }: Deps, request: ListTurnsRequest, { caller }: Call): Promise<ListTurnsResponse> {
  requireOperator(caller);
  const { limit, slowerThanMs, errorConditions } = request;
  if (limit > MAX_LIMIT) throw new GatewayError('VALIDATION_ERROR', `limit is more than ${MAX_LIMIT}`, { param: 'limit' });
  const filter = {
    status: toStorableText(request.status) || null,
    errorConditions: errorConditions.map(toStorableText),
    keyId: request.keyId === '' ? null : requireUuid('key_id', request.keyId),
    workspaceId: request.workspaceId === '' ? null : requireUuid('workspace_id', request.workspaceId),
    connectionId: toStorableText(request.connectionId) || null,
    model: toStorableText(request.model) || null,
    slowerThanMs,
  };
  const { turns, before } = await listTurnDetails(database.generalPool, toRange(request), filter, limit || DEFAULT_LIMIT);
  return { turns: turns.map(toTurnStory), nextCursor: before ?? '' };
}

function toRange({ since, until, cursor }: ListTurnsRequest): TurnIdRange {
  if (cursor !== '' && !isUuid(cursor)) throw new GatewayError('VALIDATION_ERROR', 'cursor is not one of a page', { param: 'cursor' });
  const end = until ? toLowestUuid(until) : UUID_BOUNDS.highest;
  const last = cursor.toLowerCase();
  return { from: since ? toLowestUuid(since) : UUID_BOUNDS.lowest, before: last !== '' && last < end ? last : end };
}
