import { uuidv7 } from '@parley/kit/ids/uuid';
import { type z } from 'zod';
import { newToken, tokenDigest } from '../../../identity/tokens.ts';
import { auditStatement } from '../../../store/audit-log.ts';
import { runQuery } from '../../../store/client.ts';
import { insertOneTimeToken, revokeOneTimeTokens } from '../../../store/one-time-tokens.ts';
import { hasOwner, lockOwners } from '../../../store/owners.ts';
import { type oneTimeLink } from '../../../wire/people.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { linkNotValidError } from '../../me/link-not-valid-error.ts';
import { toOneTimeLinkReply } from '../../one-time-link.ts';
import { type Input, type Reply } from '../../route.ts';

const LIFE_MS = 86_400_000;

/**
 * Creates the link with which the first owner is created; earlier links become invalid.
 * @throws GatewayError LINK_NOT_VALID once there is an owner
 */
export async function createSetupLink({ principal, req }: Input, deps: RouteDeps): Promise<Reply<z.input<typeof oneTimeLink>>> {
  const [id, token] = [uuidv7(), newToken()];
  const expiresAt = new Date(Date.now() + LIFE_MS);
  await runQuery(
    deps.db.$transaction(async (tx) => {
      await lockOwners(tx);
      if (await hasOwner(tx)) throw linkNotValidError('the gateway has an owner, who invites other people');
      await revokeOneTimeTokens(tx, 'setup');
      await insertOneTimeToken(tx, { id, kind: 'setup', digest: tokenDigest(token), expiresAt });
      await auditStatement(tx, toAuditEntry(principal, { action: 'setup_link.create', targetId: id }));
    }),
  );
  return toOneTimeLinkReply({ req, deps, page: 'setup', token, expiresAt });
}
