import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { auditStatement } from '../../../store/audit-log.ts';
import { runQuery } from '../../../store/client.ts';
import { revokeSessions } from '../../../store/sessions.ts';
import { type idParams } from '../../admin/fields.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { invalidateEverywhere } from '../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';

/** Revokes a session of the caller. @throws GatewayError NOT_FOUND for one that is not open, or of another user */
export async function revokeSession({ principal, params }: Input<z.output<typeof idParams>>, deps: RouteDeps): Promise<Reply<undefined>> {
  const { userId, sessionId } = requireSession(principal);
  await runQuery(
    deps.db.$transaction(async (tx) => {
      const ended = await revokeSessions(tx, userId, { ids: [params.id] });
      if (ended.length === 0) throw new GatewayError('NOT_FOUND', 'no such session', { param: 'id' });
      await auditStatement(tx, toAuditEntry(principal, { action: 'session.revoke', targetId: params.id }));
    }),
  );
  invalidateEverywhere(deps, params.id);
  const headers = params.id === sessionId ? { 'set-cookie': deps.identity.sessions.clearCookie() } : {};
  return { body: undefined, headers };
}

/** Revokes all other sessions of the caller. */
export async function revokeOtherSessions({ principal }: Input, deps: RouteDeps): Promise<Reply<undefined>> {
  const { userId, sessionId } = requireSession(principal);
  const ended = await runQuery(
    deps.db.$transaction(async (tx) => {
      const ids = await revokeSessions(tx, userId, { except: sessionId });
      const details = { ended: ids.length };
      await auditStatement(tx, toAuditEntry(principal, { action: 'session.revoke_others', targetId: userId, details }));
      return ids;
    }),
  );
  for (const id of ended) invalidateEverywhere(deps, id);
  return { body: undefined };
}
