import { z } from 'zod';
import { readJson } from '../http/read-json.ts';
import { sendJson } from '../http/respond.ts';
import { type Exchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type AccountState } from '../state/accounts.ts';

const loginSchema = z.object({ account: z.string(), password: z.string() });

/** `POST /api/session`: 401 `bad_credentials` does not say which of the two was wrong. */
export async function createSession({ sandbox, req, res }: Exchange): Promise<void> {
  const login = await readJson(req, loginSchema);
  const { accounts } = sandbox.sandboxState;
  const account = accounts.get(login.account)?.account;
  if (account?.password !== login.password) throw new SandboxError(401, 'bad_credentials', 'no such account, or not its password');
  const token = accounts.newToken();
  const expiresAt = Date.now() + (account.session_ttl_ms ?? sandbox.sessionTtlMs);
  sandbox.sandboxState.record({ type: 'session', token, account: account.id, expires_at: expiresAt });
  const { id, label, tier } = account;
  sendJson(res, 200, { token, expires_at: new Date(expiresAt).toISOString(), account: { id, label, tier } });
}

/** `GET /api/me`. */
export function getMe({ res }: Exchange, { account }: AccountState): void {
  sendJson(res, 200, { account: account.id, label: account.label, tier: account.tier });
}
