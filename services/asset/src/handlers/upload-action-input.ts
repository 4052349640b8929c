import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { toWorkOrigin } from '@parley/kit/rpc/work-origin';
import { type ActionInputAsset, type UploadActionInputRequest } from '@parley/protos/asset/v1/asset';
import { type Deps } from '../deps.ts';
import { requireWorkspaceId } from '../domain/access.ts';
import { requireActionSlug } from '../domain/action-input.ts';
import { insertActionInput } from '../store/action-inputs.ts';
import { openUpload } from '../upload/open-upload.ts';
import { discardUpload, storeUpload } from '../upload/store-upload.ts';
import { toActionInput } from './action-input-view.ts';

/**
 * Stores a file for one run of an action. The caller must have checked that the action exists.
 * @throws the errors of `storeUpload`, VALIDATION_ERROR, ASSET_ACCESS_DENIED for a caller without a workspace
 */
export async function uploadActionInput(
  deps: Deps,
  frames: AsyncIterable<UploadActionInputRequest>,
  call: Call,
): Promise<ActionInputAsset> {
  const upload = await openUpload(frames);
  const { head, chunks } = upload;
  const { maxBytes, ttlMs } = deps.actionInputs;
  try {
    const of = { workspaceId: requireWorkspaceId(call.caller), actionSlug: requireActionSlug(head.actionSlug) };
    const file = await storeUpload(deps, { id: uuidv7(), name: head.file?.fileName ?? '', chunks }, call, maxBytes);
    try {
      if (call.abortReason) throw call.abortReason;
      return toActionInput(await insertActionInput(deps.store, { ...file, ...of, origin: toWorkOrigin(call) }, ttlMs));
    } catch (error) {
      await discardUpload(deps, file, call);
      throw error;
    }
  } finally {
    upload.stop();
  }
}
