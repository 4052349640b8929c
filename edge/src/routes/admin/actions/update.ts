import { z } from 'zod';
import { writeAudit } from '../../../store/audit-log.ts';
import { type actionDetail, toActionDetail } from '../../../wire/action.ts';
import { type actionParams } from '../../actions/fields.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { toAuditEntry } from '../../audit-entry.ts';

/** Whether an action is in the catalog. */
export const actionChange = z.object({ enabled: z.boolean() }).meta({ id: 'ActionChange' });

/** Takes an action out of the catalog, or puts it back; runs that were accepted go on. */
export async function updateAction(
  { principal, params, body }: Input<z.output<typeof actionParams>, undefined, z.output<typeof actionChange>>,
  { clients, db }: RouteDeps,
): Promise<Reply<z.input<typeof actionDetail>>> {
  const action = await clients.actions.setActionEnabled({ slug: params.slug, enabled: body.enabled }, { caller: principal });
  await writeAudit(db, toAuditEntry(principal, { action: 'action.update', workspaceId: undefined, targetId: action.slug, details: body }));
  return { body: toActionDetail(action) };
}
