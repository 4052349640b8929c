import { type z } from 'zod';
import { consumeFactor } from '../../../identity/second-factor.ts';
import { tokenDigest } from '../../../identity/tokens.ts';
import { findCredentialsById } from '../../../store/credentials.ts';
import { countFailure, findOneTimeToken, takeOneTimeToken } from '../../../store/one-time-tokens.ts';
import { lockPerson } from '../../../store/second-factors.ts';
import { type currentSession } from '../../../wire/session.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { beginSession } from '../begin-session.ts';
import { linkNotValid } from '../link-not-valid.ts';
import { isGuessable, readFactor, type secondFactorSignIn } from '../second-factors/fields.ts';

const MAX_ATTEMPTS = 5;
const ENDED = 'this sign-in has ended or had too many wrong answers; begin again';

/** Completes a sign-in that waits for its second factor. */
export async function signInWithSecondFactor(
  input: Input<undefined, undefined, z.output<typeof secondFactorSignIn>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof currentSession>>> {
  const { req, body } = input;
  const { db, identity } = deps;
  const digest = tokenDigest(body.token);
  const waiting = await findOneTimeToken(db, 'second_factor', digest);
  const person = waiting?.userId == null ? null : await findCredentialsById(db, waiting.userId);
  if (!waiting || person?.status !== 'active') throw linkNotValid(ENDED);
  const { userId } = person;
  const account = person.email ?? userId;
  if (isGuessable(body)) await identity.signInDelay.admit(req, account);
  // The attempt is counted before the factor is verified, so that concurrent attempts count like sequential ones.
  if ((await countFailure(db, waiting.id, MAX_ATTEMPTS + 1)) > MAX_ATTEMPTS) throw linkNotValid(ENDED);
  const shown = await readFactor(req, deps, body);
  return beginSession(input, deps, async (tx) => {
    if (!(await lockPerson(tx, userId))?.isActive) throw linkNotValid(ENDED);
    await consumeFactor(tx, identity.secrets, userId, shown);
    if (isGuessable(body)) await identity.signInDelay.succeed(tx, req, account);
    // The first factor was counted as an attempt, too.
    await identity.signInDelay.succeed(tx, req, account);
    if (!(await takeOneTimeToken(tx, 'second_factor', digest))) throw linkNotValid(ENDED);
    const changes = [{ action: 'second_factor.use', targetId: userId, details: { factor: shown.factor } }];
    return { userId, method: 'password', isStrong: true, changes };
  });
}
