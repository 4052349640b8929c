import { type z } from 'zod';
import { type AuditEntry, auditStatement } from '../../store/audit-log.ts';
import { runQuery } from '../../store/client.ts';
import { revokeSessions, type SessionAuthentication, type DatabaseOrTransaction } from '../../store/sessions.ts';
import { type currentSession, toCurrentSession } from '../../wire/session.ts';
import { toAuditEntry } from '../audit-entry.ts';
import { type RouteDeps } from '../deps.ts';
import { invalidateEverywhere } from '../invalidate-everywhere.ts';
import { type Input, type Reply } from '../route.ts';

/** The user and the method of a sign-in, as `prove` returns them. */
export type SignInProof = SessionAuthentication & {
  /** Changes that the sign-in made, for the audit log; the user is their actor. */
  changes?: readonly AuditedChange[];
};

/** A change for the audit log, without its actor. */
export type AuditedChange = Pick<AuditEntry, 'action' | 'targetId' | 'workspaceId' | 'details'>;

/**
 * Starts a login session and returns it with its cookie. `prove` runs in the same transaction and returns who signs in, or throws: what it
 * consumes, such as a link, is used by exactly one session. The previous session of the browser ends.
 */
export async function beginSession(
  { req, principal }: Pick<Input, 'req' | 'principal'>,
  deps: RouteDeps,
  prove: (tx: DatabaseOrTransaction) => Promise<SignInProof>,
): Promise<Reply<z.input<typeof currentSession>>> {
  const { sessions, clientAddress } = deps.identity;
  const before = await sessions.find(req);
  const begun = await runQuery(
    deps.db.$transaction(async (tx) => {
      const { changes = [], ...signIn } = await prove(tx);
      const session = await sessions.start(tx, req, signIn);
      if (before) await revokeSessions(tx, before.userId, { ids: [before.sessionId] });
      const { sessionId, userId, rights } = session.record;
      const actor = { kind: 'user', id: userId, sessionId, address: clientAddress(req), rights } as const;
      const details = { method: signIn.method, is_strong: signIn.isStrong };
      for (const change of [...changes, { action: 'session.begin', targetId: sessionId, details }]) {
        await auditStatement(tx, toAuditEntry({ ...principal, actor }, change));
      }
      return session;
    }),
  );
  if (before) invalidateEverywhere(deps, before.sessionId);
  const headers = { 'set-cookie': begun.cookie, 'cache-control': 'no-store' };
  return { body: toCurrentSession(begun.record, begun.csrfToken), headers };
}
