import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { newRecoveryCodes, recoveryCodeDigest } from '../../../identity/recovery-codes.ts';
import { requireFactorChangeAllowed, hasSecondFactor } from '../../../identity/second-factor.ts';
import { auditStatement } from '../../../store/audit-log.ts';
import { runQuery } from '../../../store/client.ts';
import { deleteRecoveryCodes, replaceRecoveryCodes } from '../../../store/recovery-codes.ts';
import {
  type SecondFactors,
  readSecondFactors,
  findFactorPresentedAt,
  lockUser,
  recordFactorPresented,
} from '../../../store/second-factors.ts';
import { revokeSessions, type SessionRecord, type DatabaseOrTransaction } from '../../../store/sessions.ts';
import { type addedFactor } from '../../../wire/second-factors.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { invalidateEverywhere } from '../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../route.ts';
import { type AuditedChange } from '../begin-session.ts';
import { requireSession } from '../require-session.ts';
import { rotateSession } from '../rotate-session.ts';

/** Makes a change in a transaction; `factors` are those before it. Returns the value for the handler, and the audit entry. */
type MakeChange<T> = (tx: DatabaseOrTransaction, factors: SecondFactors) => Promise<{ value: T; audit: AuditedChange }>;

/** Returns the factors of a person. @throws GatewayError SECOND_FACTOR_REQUIRED when the session may not change them */
export async function requireChangeableFactors(tx: DatabaseOrTransaction, session: SessionRecord): Promise<SecondFactors> {
  const factors = await readSecondFactors(tx, session.userId);
  requireFactorChangeAllowed(session, await findFactorPresentedAt(tx, session.sessionId), factors);
  return factors;
}

/**
 * Changes the second factors of the signed-in person, with the person locked.
 * @throws GatewayError SECOND_FACTOR_REQUIRED when a factor must be presented again, or the last one is required
 */
export async function changeFactors<T>({ principal }: Pick<Input, 'principal'>, deps: RouteDeps, change: MakeChange<T>): Promise<T> {
  const session = requireSession(principal);
  const { userId } = session;
  const value = await runQuery(
    deps.db.$transaction(async (tx) => {
      await lockUser(tx, userId);
      const factors = await requireChangeableFactors(tx, session);
      const made = await change(tx, factors);
      if (hasSecondFactor(factors) && !hasSecondFactor(await readSecondFactors(tx, userId))) await endWithLast(tx, userId, factors);
      await auditStatement(tx, toAuditEntry(principal, made.audit));
      return made.value;
    }),
  );
  invalidateEverywhere(deps, userId);
  return value;
}

/**
 * Adds a second factor. The session then counts as one with two factors, and gets a new token. With the first factor recovery codes are
 * created, and all other sessions of the person end, because none of them has presented it.
 */
export async function applyFactorAddition<T>(
  { req, principal }: Pick<Input, 'req' | 'principal'>,
  deps: RouteDeps,
  add: MakeChange<T>,
): Promise<{ value: T; added: z.input<typeof addedFactor>; headers: Reply<unknown>['headers'] }> {
  const session = requireSession(principal);
  const { userId, sessionId } = session;
  const codes = newRecoveryCodes();
  const results: { value: T; isFirst: boolean }[] = [];
  const { body, headers } = await rotateSession({ req, principal }, deps, async (tx) => {
    await lockUser(tx, userId);
    const factors = await requireChangeableFactors(tx, session);
    const { value, audit } = await add(tx, factors);
    const isFirst = !hasSecondFactor(factors);
    if (isFirst) await replaceRecoveryCodes(tx, userId, codes.map(recoveryCodeDigest));
    const endedSessionIds = isFirst ? await revokeSessions(tx, userId, { except: sessionId }) : [];
    await recordFactorPresented(tx, sessionId);
    results.push({ value, isFirst });
    return { audit: { ...audit, details: { ...audit.details, ended_sessions: endedSessionIds.length } }, isStrong: true, endedSessionIds };
  });
  const [made] = results;
  if (!made) throw new Error('a change was committed that was not made');
  return { value: made.value, added: { session: body, recovery_codes: made.isFirst ? codes : null }, headers };
}

/** Called when no factor is left: deletes the recovery codes. @throws GatewayError SECOND_FACTOR_REQUIRED when a factor is required */
async function endWithLast(tx: DatabaseOrTransaction, userId: string, { isRequired }: SecondFactors): Promise<void> {
  if (isRequired) {
    throw new GatewayError('SECOND_FACTOR_REQUIRED', 'a second factor is demanded of you: add another before you remove the last one');
  }
  await deleteRecoveryCodes(tx, userId);
}
