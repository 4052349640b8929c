import { sendJson } from '../http/respond.ts';
import { type HttpExchange } from '../http/router.ts';
import { type AccountState } from '../state/accounts.ts';

/** `GET /api/me`. */
export function getMe({ res }: HttpExchange, { account }: AccountState): void {
  sendJson(res, 200, { account: account.id, label: account.label, tier: account.tier });
}
