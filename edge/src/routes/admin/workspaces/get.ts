import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { findWorkspace } from '../../../store/workspaces.ts';
import { toWorkspace, type workspace } from '../../../wire/admin.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams } from '../fields.ts';

/** A workspace. @throws GatewayError NOT_FOUND */
export async function getWorkspace(
  { params }: Input<z.output<typeof idParams>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof workspace>>> {
  const found = await findWorkspace(db, params.id);
  if (!found) throw new GatewayError('NOT_FOUND', 'no such workspace', { param: 'id' });
  return { body: toWorkspace(found) };
}
