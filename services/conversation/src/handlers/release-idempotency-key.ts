import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type ReleaseIdempotencyKeyRequest } from '@parley/protos/conversation/v1/conversation';
import { type Deps } from '../deps.ts';
import { requireCallerKey } from '../domain/turn-request.ts';
import { releaseIdempotencyKey as release } from '../store/turn-records.ts';

/** Releases the idempotency key of a turn of the caller that did not complete. Idempotent. @throws CONVERSATION_ACCESS_DENIED. */
export async function releaseIdempotencyKey(
  { store: { database } }: Deps,
  { turnId }: ReleaseIdempotencyKeyRequest,
  { caller }: Call,
): Promise<Record<string, never>> {
  const owner = requireCallerKey(caller);
  if (isUuid(turnId)) await release(database.turnPool, owner, turnId);
  return {};
}
