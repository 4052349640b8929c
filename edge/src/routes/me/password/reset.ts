import { z } from 'zod';
import { requireStrongPassword } from '../../../identity/require-strong-password.ts';
import { tokenDigest } from '../../../identity/tokens.ts';
import { auditStatement } from '../../../store/audit-log.ts';
import { runQuery } from '../../../store/client.ts';
import { findOneTimeToken, revokeOneTimeTokens, consumeOneTimeToken } from '../../../store/one-time-tokens.ts';
import { findPasswordCredentialsById, setPassword } from '../../../store/password-credentials.ts';
import { revokeSessions } from '../../../store/sessions.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { linkToken, password } from '../../fields.ts';
import { invalidateEverywhere } from '../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../route.ts';
import { linkNotValidError } from '../link-not-valid-error.ts';

/** The body with the token of a reset link and the new password. */
export const resetPasswordBody = z.object({ token: linkToken, password }).meta({ id: 'PasswordReset' });

/** Sets a new password with a link from an admin. All sessions of the user end; a sign-in still needs the second factor. */
export async function resetPassword(
  { body, principal, req }: Input<undefined, undefined, z.output<typeof resetPasswordBody>>,
  deps: RouteDeps,
): Promise<Reply<undefined>> {
  const { passwords, signInDelay, clientAddress } = deps.identity;
  const digest = tokenDigest(body.token);
  const userId = (await findOneTimeToken(deps.db, 'reset', digest))?.userId;
  const person = userId && (await findPasswordCredentialsById(deps.db, userId));
  if (!person || person.status !== 'active') throw linkNotValidError();
  await requireStrongPassword(body.password, { email: person.email, param: 'password' });
  const passwordHash = await passwords.hash(body.password);
  const ended = await runQuery(
    deps.db.$transaction(async (tx) => {
      if (!(await consumeOneTimeToken(tx, 'reset', digest))) throw linkNotValidError();
      await setPassword(tx, person.userId, passwordHash);
      await signInDelay.resetAccount(tx, person.email ?? person.userId);
      for (const kind of ['reset', 'second_factor'] as const) await revokeOneTimeTokens(tx, kind, person.userId);
      const ids = await revokeSessions(tx, person.userId);
      const details = { ended_sessions: ids.length };
      const entry = toAuditEntry(principal, { action: 'password.reset', targetId: person.userId, details });
      await auditStatement(tx, { ...entry, actor: 'user', actorId: person.userId, address: clientAddress(req) });
      return ids;
    }),
  );
  for (const id of ended) invalidateEverywhere(deps, id);
  return { body: undefined };
}
