import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { findWorkspace } from '../../../store/workspaces.ts';
import { toWorkspace, type workspace } from '../../../wire/admin.ts';
import { type RouteDeps } from '../../deps.ts';
import { quotaUseQuery, withQuotaUse } from '../../quota-use.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams } from '../fields.ts';

/** Query parameters of one workspace. */
export const oneWorkspaceQuery = z.object(quotaUseQuery);

/** Returns a workspace. @throws GatewayError NOT_FOUND */
export async function getWorkspace(
  { params, query }: Input<z.output<typeof idParams>, z.output<typeof oneWorkspaceQuery>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof workspace>>> {
  const found = await findWorkspace(deps.db, params.id);
  const [body] = await withQuotaUse(deps, query, { kind: 'workspace', rows: found ? [found] : [], toWire: toWorkspace });
  if (!body) throw new GatewayError('NOT_FOUND', 'no such workspace', { param: 'id' });
  return { body };
}
