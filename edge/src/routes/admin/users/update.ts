import { z } from 'zod';
import { updateUser as update } from '../../../store/users.ts';
import { activity, toUser, type user } from '../../../wire/admin.ts';
import { type RouteDeps } from '../../deps.ts';
import { name } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { announceKeyChange } from '../announce.ts';
import { type idParams, notEmpty } from '../fields.ts';
import { toAuditEntry } from '../on-behalf.ts';

/** The changes to a user. */
export const userChange = z
  .object({ display_name: name.optional(), status: activity.optional() })
  .refine(notEmpty, 'at least one field is required')
  .meta({ id: 'UserChange' });

/** Renames, enables or disables a user; keys of a disabled one are refused within a second. */
export async function updateUser(
  { principal, params, body }: Input<z.output<typeof idParams>, undefined, z.output<typeof userChange>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof user>>> {
  const details = { changed: Object.keys(body), ...(body.status !== undefined && { status: body.status }) };
  const change = { displayName: body.display_name, status: body.status };
  const changed = await update(
    deps.db,
    params.id,
    change,
    toAuditEntry(principal, { action: 'user.update', targetId: params.id, details }),
  );
  announceKeyChange(deps, changed.id);
  return { body: toUser(changed) };
}
