import { type z } from 'zod';
import { consumeSecondFactor } from '../../../identity/second-factor.ts';
import { tokenDigest } from '../../../identity/tokens.ts';
import { countTokenFailure, findOneTimeToken, consumeOneTimeToken } from '../../../store/one-time-tokens.ts';
import { findPasswordCredentialsById } from '../../../store/password-credentials.ts';
import { lockUser } from '../../../store/second-factors.ts';
import { type currentSession } from '../../../wire/session.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { beginSession } from '../begin-session.ts';
import { linkNotValidError } from '../link-not-valid-error.ts';
import { hasGuessableCode, readFactor, type secondFactorSignInBody } from '../second-factors/fields.ts';

const MAX_ATTEMPTS = 5;
const ENDED = 'this sign-in has ended or had too many wrong answers; begin again';

/** Completes a sign-in that waits for its second factor. */
export async function signInWithSecondFactor(
  input: Input<undefined, undefined, z.output<typeof secondFactorSignInBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof currentSession>>> {
  const { req, body } = input;
  const { db, identity } = deps;
  const digest = tokenDigest(body.token);
  const waiting = await findOneTimeToken(db, 'second_factor', digest);
  const person = waiting?.userId == null ? null : await findPasswordCredentialsById(db, waiting.userId);
  if (!waiting || person?.status !== 'active') throw linkNotValidError(ENDED);
  const { userId } = person;
  const account = person.email ?? userId;
  if (hasGuessableCode(body)) await identity.signInDelay.admitAttempt(req, account);
  // The attempt is counted before the factor is verified, so that concurrent attempts count like sequential ones.
  if ((await countTokenFailure(db, waiting.id, MAX_ATTEMPTS + 1)) > MAX_ATTEMPTS) throw linkNotValidError(ENDED);
  const shown = await readFactor(req, deps, body);
  return beginSession(input, deps, async (tx) => {
    if (!(await lockUser(tx, userId))?.isActive) throw linkNotValidError(ENDED);
    await consumeSecondFactor(tx, identity.secrets, userId, shown);
    if (hasGuessableCode(body)) await identity.signInDelay.recordSuccess(tx, req, account);
    // The first factor was counted as an attempt, too.
    await identity.signInDelay.recordSuccess(tx, req, account);
    if (!(await consumeOneTimeToken(tx, 'second_factor', digest))) throw linkNotValidError(ENDED);
    const changes = [{ action: 'second_factor.use', targetId: userId, details: { factor: shown.factor } }];
    return { userId, method: 'password', isStrong: true, changes };
  });
}
