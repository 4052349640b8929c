import { z } from 'zod';
import { parseBearerToken } from '../chat/with-session.ts';
import { runWithFaults } from '../faults/operation-faults.ts';
import { readJson } from '../http/read-json.ts';
import { sendJson, sendNoContent } from '../http/respond.ts';
import { type HttpExchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type Account } from '../options.ts';
import { type SandboxContext } from '../sandbox-context.ts';
import { requiresChallenge, toChallengeView } from './challenges.ts';

const loginSchema = z.object({ account: z.string(), password: z.string() });

/** Status and body of a response. */
export interface SessionResponse {
  status: number;
  body: object;
}

/**
 * `POST /api/session`: signs in; 401 `bad_credentials` does not reveal which of the two was wrong. For an account that requires more than
 * its password, it sends 202 with a challenge and opens no session.
 */
export async function createSession({ sandbox, req, res }: HttpExchange): Promise<void> {
  const login = await readJson(req, loginSchema);
  const refused = new SandboxError(401, 'bad_credentials', 'no such account, or not its password');
  const state = sandbox.sandboxState.accounts.get(login.account);
  if (state === undefined) throw refused;
  let answer: SessionResponse | undefined;
  const act = (): void => {
    const { account } = state;
    if (account.password !== login.password) throw refused;
    answer = requiresChallenge(account)
      ? { status: 202, body: { challenge: toChallengeView(sandbox.challenges.begin(account), account) } }
      : openSession(sandbox, account);
  };
  await runWithFaults({ res }, state, 'sign_in', act, () => answer && sendJson(res, answer.status, answer.body));
}

/** Opens a session and returns the response with its token. */
export function openSession({ sandboxState, sessionTtlMs }: SandboxContext, account: Account): SessionResponse {
  const token = sandboxState.accounts.newToken();
  const expiresAt = Date.now() + (account.session_ttl_ms ?? sessionTtlMs);
  sandboxState.record({ type: 'session', token, account: account.id, expires_at: expiresAt });
  const { id, label, tier } = account;
  return { status: 200, body: { token, expires_at: new Date(expiresAt).toISOString(), account: { id, label, tier } } };
}

/** `DELETE /api/session`: signs out; idempotent. */
export function deleteSession(exchange: HttpExchange): void {
  const { sandboxState } = exchange.sandbox;
  const token = parseBearerToken(exchange);
  if (sandboxState.accounts.findBySessionToken(token)) sandboxState.record({ type: 'session_ended', token });
  sendNoContent(exchange.res);
}
