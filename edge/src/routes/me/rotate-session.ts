import { type z } from 'zod';
import { auditStatement } from '../../store/audit-log.ts';
import { runQuery } from '../../store/client.ts';
import { type DatabaseOrTransaction } from '../../store/sessions.ts';
import { type currentSession, toCurrentSession } from '../../wire/session.ts';
import { toAuditEntry } from '../audit-entry.ts';
import { type RouteDeps } from '../deps.ts';
import { invalidateEverywhere } from '../invalidate-everywhere.ts';
import { type Input, type Reply } from '../route.ts';
import { type AuditedChange } from './begin-session.ts';
import { requireSession } from './require-session.ts';

/** The result of a change of the caller's own rights or factors. */
export interface SecurityChange {
  audit: AuditedChange;
  /** The session counts as one with two factors from now on. */
  isStrong?: true;
  /** Ids of sessions that the change has ended. */
  endedSessionIds?: readonly string[];
}

/**
 * Runs a change of the caller's factors or rights, and replaces the token and the CSRF token of the session in the same transaction: the
 * old ones become invalid.
 */
export async function rotateSession(
  { req, principal }: Pick<Input, 'req' | 'principal'>,
  deps: RouteDeps,
  change: (tx: DatabaseOrTransaction) => Promise<SecurityChange>,
): Promise<Reply<z.input<typeof currentSession>>> {
  const { sessionId, userId } = requireSession(principal);
  const { begun, ended } = await runQuery(
    deps.db.$transaction(async (tx) => {
      const { audit, isStrong, endedSessionIds = [] } = await change(tx);
      const begun = await deps.identity.sessions.rotate(tx, req, isStrong && { isStrong });
      await auditStatement(tx, toAuditEntry(principal, audit));
      return { begun, ended: endedSessionIds };
    }),
  );
  for (const id of [sessionId, userId, ...ended]) invalidateEverywhere(deps, id);
  const headers = { 'set-cookie': begun.cookie, 'cache-control': 'no-store' };
  return { body: toCurrentSession(begun.record, begun.csrfToken), headers };
}
