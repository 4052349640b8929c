import { type Call } from '@parley/kit/rpc/call';
import { type ReadActionInputRequest, type ReadActionInputResponse } from '@parley/protos/asset/v1/asset';
import { readVerifiedBlob } from '../bytes/read-verified-blob.ts';
import { type Deps } from '../deps.ts';
import { requireWorkspaceId } from '../domain/access.ts';
import { invalidInputError } from '../domain/action-input.ts';
import { requireUuid } from '../domain/artifact.ts';
import { findInputOfRun } from '../store/action-inputs.ts';
import { toAsset } from './asset-view.ts';

/**
 * Streams the bytes of a file of the run; verifies its checksum before the first frame.
 * @throws ASSET_INPUT_INVALID, VALIDATION_ERROR, ASSET_ACCESS_DENIED, SERVICE_UNAVAILABLE
 */
export async function* readActionInput(
  { store, blobs, log }: Deps,
  { assetId, runId }: ReadActionInputRequest,
  call: Call,
): AsyncGenerator<ReadActionInputResponse> {
  const of = { id: assetId, runId: requireUuid('run_id', runId), workspaceId: requireWorkspaceId(call.caller) };
  const input = await findInputOfRun(store.database, of);
  if (!input) throw invalidInputError('a file of the input was not given to this run');
  if (input.blobKey === null || input.sha256 === null) throw invalidInputError('a file of the input is no longer kept');
  let hasHead = false;
  try {
    for await (const chunk of readVerifiedBlob(blobs, input.blobKey, input.sha256, call.signal)) {
      if (!hasHead) yield { frame: { $case: 'head', value: toAsset(input) } };
      hasHead = true;
      yield { frame: { $case: 'chunk', value: chunk } };
    }
  } catch (err) {
    if (call.abortReason) throw call.abortReason;
    log.error({ err, assetId: input.id, requestId: call.caller.requestId }, 'a file for an action could not be read');
    throw err;
  }
}
