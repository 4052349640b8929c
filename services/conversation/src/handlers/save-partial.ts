import { type Call } from '@parley/kit/rpc/call';
import { type PartialSaved, type SavePartial } from '@parley/protos/conversation/v1/conversation';
import { type Deps } from '../deps.ts';
import { isServiceCaller } from '../domain/permission.ts';
import { toStorableText } from '../domain/storable-text.ts';
import { requireCallerKey, requireUuid } from '../domain/turn-request.ts';

/**
 * Saves the partial text of a long answer, for the key that began the turn or for a service that acts on its own behalf. Ignores a turn
 * that has ended or was begun by another key.
 */
export async function savePartial({ store: { turns } }: Deps, { turnId, text }: SavePartial, { caller }: Call): Promise<PartialSaved> {
  const owner = isServiceCaller(caller) ? { workspaceId: null, keyId: null } : requireCallerKey(caller);
  await turns.savePartial({ turnId: requireUuid('turn_id', turnId), ...owner, text: toStorableText(text) });
  return {};
}
