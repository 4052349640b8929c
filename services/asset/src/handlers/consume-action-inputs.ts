import { type Call } from '@parley/kit/rpc/call';
import { type ActionInputAssets, type ConsumeActionInputsRequest } from '@parley/protos/asset/v1/asset';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { requireWorkspaceId } from '../domain/access.ts';
import { requireActionSlug } from '../domain/action-input.ts';
import { requireUuid } from '../domain/artifact.ts';
import { assignInputs } from '../store/action-inputs.ts';
import { toActionInput } from './action-input-view.ts';

const MAX_IDS = 200;

/** Assigns files to a run, all or none. @throws VALIDATION_ERROR, ASSET_ACCESS_DENIED, ASSET_INPUT_INVALID */
export async function consumeActionInputs(
  { store }: Deps,
  { assetIds, ...request }: ConsumeActionInputsRequest,
  { caller }: Call,
): Promise<ActionInputAssets> {
  if (assetIds.length > MAX_IDS) throw new GatewayError('VALIDATION_ERROR', `more than ${MAX_IDS} ids`, { param: 'asset_ids' });
  const claim = {
    workspaceId: requireWorkspaceId(caller),
    actionSlug: requireActionSlug(request.actionSlug),
    runId: requireUuid('run_id', request.runId),
  };
  return { assets: (await assignInputs(store.database, assetIds, claim)).map(toActionInput) };
}
