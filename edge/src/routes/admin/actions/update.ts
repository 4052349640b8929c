import { z } from 'zod';
import { type actionDetail, toActionDetail } from '../../../wire/action.ts';
import { type actionParams } from '../../actions/fields.ts';
import { type RouteDeps } from '../../deps.ts';
import { recordChange } from '../../record-change.ts';
import { type Input, type Reply } from '../../route.ts';

/** Whether an action is in the catalog. */
export const actionChange = z.object({ enabled: z.boolean() }).meta({ id: 'ActionChange' });

/** Takes an action out of the catalog, or puts it back; runs that were accepted go on. */
export async function updateAction(
  { principal, params, body }: Input<z.output<typeof actionParams>, undefined, z.output<typeof actionChange>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof actionDetail>>> {
  const action = await recordChange(principal, deps, {
    ...{ action: 'action.update', targetId: params.slug, details: body },
    make: () => deps.clients.actions.setActionEnabled({ slug: params.slug, enabled: body.enabled }, { caller: principal }),
  });
  return { body: toActionDetail(action) };
}
