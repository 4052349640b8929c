import { z } from 'zod';
import { runWithFaults } from '../faults/operations.ts';
import { readJson } from '../http/read-json.ts';
import { sendJson, sendNothing } from '../http/respond.ts';
import { type Exchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { SECOND_FACTORS } from '../options.ts';
import { type AccountState } from '../state/accounts.ts';
import { type Challenge, challengeView } from './challenges.ts';
import { type Answer, openSession } from './sessions.ts';

const answerSchema = z.union([z.object({ code: z.string().max(100) }), z.object({ factor: z.enum(SECOND_FACTORS) })]);

/** `GET /api/session/challenges/:id`. */
export function getChallenge(exchange: Exchange): void {
  const { challenge, state } = challengeOf(exchange);
  sendJson(exchange.res, 200, { challenge: challengeView(challenge, state.account) });
}

/** `POST /api/session/challenges/:id` with `{code}` or `{factor}`: the next step, or the session. */
export async function answerChallenge(exchange: Exchange): Promise<void> {
  const { sandbox, req } = exchange;
  const given = await readJson(req, answerSchema);
  await onChallenge(exchange, ({ challenge, state: { account } }) => {
    if ('factor' in given) sandbox.challenges.choose(challenge, account, given.factor);
    else if (sandbox.challenges.take(challenge, account, given.code)) {
      sandbox.challenges.end(challenge.id);
      return openSession(sandbox, account);
    }
    return { status: 202, body: { challenge: challengeView(challenge, account) } };
  });
}

/** `POST /api/session/challenges/:id/resend`: sends another code. */
export async function resendCode(exchange: Exchange): Promise<void> {
  await onChallenge(exchange, ({ challenge, state: { account } }) => {
    exchange.sandbox.challenges.resend(challenge, account);
    return { status: 202, body: { challenge: challengeView(challenge, account) } };
  });
}

/** `DELETE /api/session/challenges/:id`: cancels a sign-in; idempotent. */
export function deleteChallenge({ sandbox, params, res }: Exchange): void {
  sandbox.challenges.end(params.id ?? '');
  sendNothing(res);
}

interface Known {
  challenge: Challenge;
  state: AccountState;
}

function challengeOf({ sandbox, params }: Exchange): Known {
  const challenge = sandbox.challenges.get(params.id ?? '');
  const state = sandbox.sandboxState.accounts.get(challenge.account);
  if (state === undefined) throw new SandboxError(404, 'challenge_not_found', 'there is no such sign-in, or not any more');
  return { challenge, state };
}

/** Executes `work` and sends its response, unless a fault of the account prevents it. */
async function onChallenge(exchange: Exchange, work: (known: Known) => Answer): Promise<void> {
  const { res } = exchange;
  let answer: Answer | undefined;
  // Looked up again, as a fault may delay the request.
  const act = (): void => void (answer = work(challengeOf(exchange)));
  await runWithFaults({ res }, challengeOf(exchange).state, 'sign_in', act, () => answer && sendJson(res, answer.status, answer.body));
}
