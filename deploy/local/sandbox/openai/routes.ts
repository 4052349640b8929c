import { MODELS } from '../chat/models.ts';
import { bearer } from '../chat/signed-in.ts';
import { sendJson } from '../http/respond.ts';
import { type Exchange, type Handler, type Route } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type AccountState } from '../state/accounts.ts';
import { createChatCompletion } from './chat-completions.ts';

function withKey(handle: (exchange: Exchange, account: AccountState) => void | Promise<void>): Handler {
  return (exchange) => {
    const account = exchange.sandbox.world.accounts.withApiKey(bearer(exchange));
    if (account === undefined) throw new SandboxError(401, 'invalid_api_key', 'Incorrect API key provided.');
    return handle(exchange, account);
  };
}

function listOpenaiModels({ res }: Exchange): void {
  sendJson(res, 200, { object: 'list', data: MODELS.map((id) => ({ id, object: 'model', created: 1_735_689_600, owned_by: 'sandbox' })) });
}

/** The OpenAI-style API, by the accounts' API keys. */
export const openaiRoutes: readonly Route[] = [
  { method: 'GET', path: '/v1/models', handle: withKey(listOpenaiModels) },
  { method: 'POST', path: '/v1/chat/completions', handle: withKey(createChatCompletion) },
];
