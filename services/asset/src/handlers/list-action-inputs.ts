import { type Call } from '@parley/kit/rpc/call';
import { type ListActionInputsRequest, type ListActionInputsResponse } from '@parley/protos/asset/v1/asset';
import { type Deps } from '../deps.ts';
import { requireWorkspaceId } from '../domain/access.ts';
import { requireActionSlug } from '../domain/action-input.ts';
import { toPage } from '../domain/page.ts';
import { listInputs } from '../store/action-inputs.ts';
import { toActionInput } from './action-input-view.ts';

/** Returns the files that the workspace uploaded for an action, newest first. @throws VALIDATION_ERROR, ASSET_ACCESS_DENIED */
export async function listActionInputs(
  { store }: Deps,
  request: ListActionInputsRequest,
  { caller }: Call,
): Promise<ListActionInputsResponse> {
  const where = { workspaceId: requireWorkspaceId(caller), actionSlug: requireActionSlug(request.actionSlug) };
  const { inputs, total } = await listInputs(store.database, where, toPage(request));
  return { assets: inputs.map(toActionInput), total };
}
