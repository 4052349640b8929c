import { uuidv7 } from '@parley/kit/ids/uuid';
import { z } from 'zod';
import { insertWorkspace } from '../../../store/workspaces.ts';
import { toWorkspace, type workspace } from '../../../wire/admin.ts';
import { type RouteDeps } from '../../deps.ts';
import { name } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { quotas, toQuotaChange } from '../fields.ts';
import { toAuditEntry } from '../../audit-entry.ts';

/** A workspace to create. */
export const newWorkspace = z.object({ name, quotas: quotas.optional() }).meta({ id: 'NewWorkspace' });

/** Creates a workspace without keys or accounts. */
export async function createWorkspace(
  { principal, body }: Input<undefined, undefined, z.output<typeof newWorkspace>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof workspace>>> {
  const id = uuidv7();
  const row = { name: body.name, ...toQuotaChange(body.quotas) };
  const audit = toAuditEntry(principal, { action: 'workspace.create', workspaceId: id, targetId: id, details: row });
  return { body: toWorkspace(await insertWorkspace(db, { id, ...row }, audit)) };
}
