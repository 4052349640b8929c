import type { Call } from '@parley/kit/rpc/call';
import type { PartialSaved, SavePartial } from '@parley/protos/conversation/v1/conversation';
import { isServiceCaller } from '../domain/permission.ts';
import { toStorable } from '../domain/text.ts';
import { requireKey, requireUuid } from '../domain/turn-request.ts';
import type { Store } from '../store/store.ts';

/** Keeps what a long answer has so far, for the turn's own key or a service that acts for itself. A turn that has ended, or is somebody else's, is left as it is. */
export async function savePartial({ turns }: Store, { turnId, text }: SavePartial, { caller }: Call): Promise<PartialSaved> {
  const owner = isServiceCaller(caller) ? { workspaceId: null, keyId: null } : requireKey(caller);
  await turns.savePartial({ turnId: requireUuid('turn_id', turnId), ...owner, text: toStorable(text) });
  return {};
}
