import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { NO_RIGHTS } from '../../../../config/roles.ts';
import { requireNotOutranked } from '../../../../identity/role-grants.ts';
import { auditStatement } from '../../../../store/audit-log.ts';
import { runQuery } from '../../../../store/client.ts';
import { revokeOneTimeTokens } from '../../../../store/one-time-tokens.ts';
import { deleteAllSecondFactors, readSecondFactors, lockUser } from '../../../../store/second-factors.ts';
import { revokeSessions } from '../../../../store/sessions.ts';
import { toAuditEntry } from '../../../audit-entry.ts';
import { type RouteDeps } from '../../../deps.ts';
import { invalidateEverywhere } from '../../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type idParams } from '../../fields.ts';

/**
 * Deletes all second factors of a user who has lost them, and ends the user's sessions. A caller cannot do it for a user with a higher
 * role.
 */
export async function deleteSecondFactors(
  { principal, params: { id } }: Input<z.output<typeof idParams>>,
  deps: RouteDeps,
): Promise<Reply<undefined>> {
  await runQuery(
    deps.db.$transaction(async (tx) => {
      const person = await lockUser(tx, id);
      if (!person) throw new GatewayError('NOT_FOUND', 'no such user', { param: 'id' });
      requireNotOutranked(principal.actor?.rights ?? NO_RIGHTS, person);
      const { totpConfirmedAt, passkeys } = await readSecondFactors(tx, id);
      await deleteAllSecondFactors(tx, id);
      await revokeOneTimeTokens(tx, 'second_factor', id);
      const sessions = (await revokeSessions(tx, id)).length;
      const details = { totp: totpConfirmedAt !== null, passkeys, sessions };
      await auditStatement(tx, toAuditEntry(principal, { action: 'second_factors.delete', targetId: id, details }));
    }),
  );
  invalidateEverywhere(deps, id);
  return { body: undefined };
}
