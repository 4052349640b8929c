import { type z } from 'zod';
import { auditStatement } from '../../../store/audit-log.ts';
import { runQuery } from '../../../store/client.ts';
import { revokeSessions } from '../../../store/sessions.ts';
import { type signOutResult } from '../../../wire/people.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { invalidateEverywhere } from '../../invalidate-everywhere.ts';
import { getOrigin } from '../../origin.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';

/**
 * Ends the session of the request at every edge and removes its cookie; returns the URL that ends the session at an OpenID Connect
 * provider, or null.
 */
export async function signOut({ principal, req }: Input, deps: RouteDeps): Promise<Reply<z.input<typeof signOutResult>>> {
  const { sessionId, userId } = requireSession(principal);
  await runQuery(
    deps.db.$transaction(async (tx) => {
      await revokeSessions(tx, userId, { ids: [sessionId] });
      await auditStatement(tx, toAuditEntry(principal, { action: 'session.end', targetId: sessionId }));
    }),
  );
  invalidateEverywhere(deps, sessionId);
  const signOutUrl = await deps.identity.oidc.findSignOutUrl({ sessionId, userId }, `${getOrigin(req, deps)}/console/sign-in`);
  const headers = { 'set-cookie': deps.identity.sessions.clearCookie(), 'cache-control': 'no-store' };
  return { body: { sign_out_url: signOutUrl }, headers };
}
