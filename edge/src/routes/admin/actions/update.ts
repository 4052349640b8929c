import { z } from 'zod';
import { type actionDetail, toActionDetail } from '../../../wire/action.ts';
import { type actionParams } from '../../actions/fields.ts';
import { type RouteDeps } from '../../deps.ts';
import { recordChange } from '../../record-change.ts';
import { type Input, type Reply } from '../../route.ts';

/** Enables or disables an action. */
export const updateActionBody = z.object({ enabled: z.boolean() }).meta({ id: 'ActionChange' });

/** Disables an action, which removes it from the catalog, or enables it again; accepted runs continue. */
export async function updateAction(
  { principal, params, body }: Input<z.output<typeof actionParams>, undefined, z.output<typeof updateActionBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof actionDetail>>> {
  const action = await recordChange(principal, deps, {
    ...{ action: 'action.update', targetId: params.slug, details: body },
    make: () => deps.clients.actions.setActionEnabled({ slug: params.slug, enabled: body.enabled }, { caller: principal }),
  });
  return { body: toActionDetail(action) };
}
