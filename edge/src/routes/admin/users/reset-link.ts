import { uuidv7 } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { NO_RIGHTS } from '../../../config/roles.ts';
import { requireNotOutranked } from '../../../identity/role-grants.ts';
import { newToken, tokenDigest } from '../../../identity/tokens.ts';
import { auditStatement } from '../../../store/audit-log.ts';
import { runQuery } from '../../../store/client.ts';
import { insertOneTimeToken, revokeOneTimeTokens } from '../../../store/one-time-tokens.ts';
import { findUser } from '../../../store/users.ts';
import { type oneTimeLink } from '../../../wire/people.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { toOneTimeLinkReply } from '../../one-time-link.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams } from '../fields.ts';

const LIFE_MS = 86_400_000;

/**
 * Creates a link with which a user sets a password; an earlier link becomes invalid. A caller cannot create one for a user with a higher
 * role.
 */
export async function createResetLink(
  { principal, params, req }: Input<z.output<typeof idParams>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof oneTimeLink>>> {
  const target = await findUser(deps.db, params.id);
  if (!target) throw new GatewayError('NOT_FOUND', 'no such user', { param: 'id' });
  requireNotOutranked(principal.actor?.rights ?? NO_RIGHTS, target);
  if (target.email === null) throw new GatewayError('VALIDATION_ERROR', 'the user has no email to sign in with', { param: 'email' });
  const token = newToken();
  const expiresAt = new Date(Date.now() + LIFE_MS);
  await runQuery(
    deps.db.$transaction(async (tx) => {
      await revokeOneTimeTokens(tx, 'reset', target.id);
      await insertOneTimeToken(tx, { id: uuidv7(), kind: 'reset', digest: tokenDigest(token), userId: target.id, expiresAt });
      await auditStatement(tx, toAuditEntry(principal, { action: 'reset_link.create', targetId: target.id }));
    }),
  );
  return toOneTimeLinkReply({ req, deps, page: 'reset', token, expiresAt });
}
