import { type z } from 'zod';
import { requireScopePermissions } from '../../../../identity/require-scope-permissions.ts';
import { findWorkspaceQuotas } from '../../../../store/workspaces.ts';
import { type createdApiKey } from '../../../../wire/admin.ts';
import { toQuotaChange } from '../../../admin/fields.ts';
import { createKey } from '../../../admin/keys/create.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type workspaceParams } from '../fields.ts';
import { type createOwnKeyBody } from './fields.ts';
import { toQuotaTexts, requireQuotasWithinBounds } from './quota-bounds.ts';

/**
 * Creates an API key of the caller, with no more rights than the caller and no higher quotas than the workspace; only this response
 * contains the secret.
 */
export async function createOwnKey(
  input: Input<z.output<typeof workspaceParams>, undefined, z.output<typeof createOwnKeyBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof createdApiKey>>> {
  const { principal, params, body } = input;
  const { workspace_id } = params;
  const { quotas } = deps.config;
  requireScopePermissions(principal, workspace_id, body.scopes);
  const texts = toQuotaTexts(await findWorkspaceQuotas(deps.db, workspace_id));
  requireQuotasWithinBounds(toQuotaChange(body.quotas), quotas.key, { texts, defaults: quotas.workspace, ownerLabel: 'the workspace' });
  return createKey({ ...input, params: undefined, body: { ...body, workspace_id, user_id: principal.userId } }, deps);
}
