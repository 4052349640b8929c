import { parseBearerToken } from '../chat/with-session.ts';
import { type HttpExchange, type Handler } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type AccountState } from '../state/accounts.ts';

/** Wraps a handler that needs an account's API key. @throws SandboxError 401 `invalid_api_key` */
export function withApiKey(handle: (exchange: HttpExchange, account: AccountState) => void | Promise<void>): Handler {
  return (exchange) => {
    const account = exchange.sandbox.sandboxState.accounts.findByApiKey(parseBearerToken(exchange));
    if (account === undefined) throw new SandboxError(401, 'invalid_api_key', 'Incorrect API key provided.');
    return handle(exchange, account);
  };
}
