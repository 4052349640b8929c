import { z } from 'zod';
import { runWithFaults } from '../faults/operation-faults.ts';
import { readJson } from '../http/read-json.ts';
import { sendJson, sendNoContent } from '../http/respond.ts';
import { type HttpExchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { SECOND_FACTORS } from '../options.ts';
import { type AccountState } from '../state/accounts.ts';
import { type Challenge, toChallengeView } from './challenges.ts';
import { type SessionResponse, openSession } from './sessions.ts';

const answerSchema = z.union([z.object({ code: z.string().max(100) }), z.object({ factor: z.enum(SECOND_FACTORS) })]);

/** `GET /api/session/challenges/:id`. */
export function getChallenge(exchange: HttpExchange): void {
  const { challenge, state } = challengeOf(exchange);
  sendJson(exchange.res, 200, { challenge: toChallengeView(challenge, state.account) });
}

/** `POST /api/session/challenges/:id` with `{code}` or `{factor}`: the next step, or the session. */
export async function answerChallenge(exchange: HttpExchange): Promise<void> {
  const { sandbox, req } = exchange;
  const given = await readJson(req, answerSchema);
  await onChallenge(exchange, ({ challenge, state: { account } }) => {
    if ('factor' in given) sandbox.challenges.chooseFactor(challenge, account, given.factor);
    else if (sandbox.challenges.verifyCode(challenge, account, given.code)) {
      sandbox.challenges.end(challenge.id);
      return openSession(sandbox, account);
    }
    return { status: 202, body: { challenge: toChallengeView(challenge, account) } };
  });
}

/** `POST /api/session/challenges/:id/resend`: sends another code. */
export async function resendCode(exchange: HttpExchange): Promise<void> {
  await onChallenge(exchange, ({ challenge, state: { account } }) => {
    exchange.sandbox.challenges.resendCode(challenge, account);
    return { status: 202, body: { challenge: toChallengeView(challenge, account) } };
  });
}

/** `DELETE /api/session/challenges/:id`: cancels a sign-in; idempotent. */
export function deleteChallenge({ sandbox, params, res }: HttpExchange): void {
  sandbox.challenges.end(params.id ?? '');
  sendNoContent(res);
}

interface Known {
  challenge: Challenge;
  state: AccountState;
}

function challengeOf({ sandbox, params }: HttpExchange): Known {
  const challenge = sandbox.challenges.get(params.id ?? '');
  const state = sandbox.sandboxState.accounts.get(challenge.account);
  if (state === undefined) throw new SandboxError(404, 'challenge_not_found', 'there is no such sign-in, or not any more');
  return { challenge, state };
}

/** Executes `work` and sends its response, unless a fault of the account prevents it. */
async function onChallenge(exchange: HttpExchange, work: (known: Known) => SessionResponse): Promise<void> {
  const { res } = exchange;
  let answer: SessionResponse | undefined;
  // Looked up again, as a fault may delay the request.
  const act = (): void => void (answer = work(challengeOf(exchange)));
  await runWithFaults({ res }, challengeOf(exchange).state, 'sign_in', act, () => answer && sendJson(res, answer.status, answer.body));
}
