import type { Call } from '@parley/kit/rpc/call';
import type { PartialSaved, SavePartial } from '@parley/protos/conversation/v1/conversation';
import { isOwnWork } from '../domain/access.ts';
import { storable } from '../domain/text.ts';
import { requireKey, uuid } from '../domain/turn-request.ts';
import type { Store } from '../store/store.ts';

/** Keeps what a long answer has so far, for the turn's own key or a service that acts for itself. A turn that has ended, or is somebody else's, is left as it is. */
export async function savePartial({ journal }: Store, { turnId, text }: SavePartial, { caller }: Call): Promise<PartialSaved> {
  const owner = isOwnWork(caller) ? { workspaceId: null, keyId: null } : requireKey(caller);
  await journal.savePartial({ turnId: uuid('turn_id', turnId), ...owner, text: storable(text) });
  return {};
}
