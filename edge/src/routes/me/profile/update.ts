import { z } from 'zod';
import { auditStatement } from '../../../store/audit-log.ts';
import { runQuery } from '../../../store/client.ts';
import { renamePerson } from '../../../store/people.ts';
import { type profile } from '../../../wire/people.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { name } from '../../fields.ts';
import { invalidateEverywhere } from '../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';
import { getProfile } from './get.ts';

/** The body of a change of the own profile; only an admin changes email and roles. */
export const updateProfileBody = z.object({ display_name: name }).meta({ id: 'ProfileChange' });

/** Changes the display name of the caller. */
export async function updateProfile(
  { body, ...input }: Input<undefined, undefined, z.output<typeof updateProfileBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof profile>>> {
  const { userId } = requireSession(input.principal);
  const audit = toAuditEntry(input.principal, { action: 'user.update', targetId: userId, details: { changed: ['display_name'] } });
  await runQuery(
    deps.db.$transaction(async (tx) => {
      await renamePerson(tx, userId, body.display_name);
      await auditStatement(tx, audit);
    }),
  );
  invalidateEverywhere(deps, userId);
  return getProfile({ ...input, body: undefined }, deps);
}
