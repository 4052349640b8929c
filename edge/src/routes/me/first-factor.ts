import { uuidv7 } from '@parley/kit/ids/uuid';
import { type z } from 'zod';
import { newToken, tokenDigest } from '../../identity/tokens.ts';
import { runQuery } from '../../store/client.ts';
import { insertOneTimeToken } from '../../store/one-time-tokens.ts';
import { listSecondFactorKinds } from '../../store/second-factors.ts';
import { type DatabaseOrTransaction } from '../../store/sessions.ts';
import { secondFactorRequired, toSecondFactorRequired } from '../../wire/people.ts';
import { currentSession } from '../../wire/session.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input, type Reply } from '../route.ts';
import { beginSession, type SignInProof } from './begin-session.ts';

/** The response to a correct first factor: a session, or the request for a second factor. */
export const firstFactorResponse = currentSession.or(secondFactorRequired);

const SECOND_FACTOR_MS = 300_000;

/**
 * Completes a correct first factor. A user with a second factor gets a token for that step; others get a session, whose proof `prove`
 * returns in the transaction. A user who must have a second factor and has none gets a session that only allows its setup.
 */
export async function completeFirstFactor(
  input: Pick<Input, 'req' | 'principal'>,
  deps: RouteDeps,
  userId: string,
  prove: (tx: DatabaseOrTransaction) => Promise<SignInProof>,
): Promise<Reply<z.input<typeof firstFactorResponse>>> {
  const factors = await listSecondFactorKinds(deps.db, userId);
  if (factors.length === 0) return beginSession(input, deps, prove);
  const token = newToken();
  const expiresAt = new Date(Date.now() + SECOND_FACTOR_MS);
  await runQuery(insertOneTimeToken(deps.db, { id: uuidv7(), kind: 'second_factor', digest: tokenDigest(token), userId, expiresAt }));
  return { body: toSecondFactorRequired(token, factors), headers: { 'cache-control': 'no-store' } };
}
