import type { Call } from '@parley/kit/rpc/call';
import type { ListActionInputsRequest, ListActionInputsResponse } from '@parley/protos/asset/v1/asset';
import type { Deps } from '../deps.ts';
import { workspaceOf } from '../domain/access.ts';
import { actionSlug } from '../domain/action-input.ts';
import { pageOf } from '../domain/page.ts';
import { listInputsOf } from '../store/action-inputs.ts';
import { toActionInput } from './action-input-view.ts';

/** Answers what the workspace uploaded for an action, newest first (spec §4.8). @throws VALIDATION_ERROR, ASSET_ACCESS_DENIED */
export async function listActionInputs(
  { store }: Deps,
  request: ListActionInputsRequest,
  { caller }: Call,
): Promise<ListActionInputsResponse> {
  const where = { workspaceId: workspaceOf(caller), actionSlug: actionSlug(request.actionSlug) };
  const { inputs, total } = await listInputsOf(store.database, where, pageOf(request));
  return { assets: inputs.map(toActionInput), total };
}
