import { MODELS } from '../chat/models.ts';
import { sendJson } from '../http/respond.ts';
import { type HttpExchange, type Route } from '../http/router.ts';
import { createChatCompletion } from './chat-completions.ts';
import { withApiKey } from './with-api-key.ts';

function listOpenaiModels({ res }: HttpExchange): void {
  sendJson(res, 200, { object: 'list', data: MODELS.map((id) => ({ id, object: 'model', created: 1_735_689_600, owned_by: 'sandbox' })) });
}

/** Routes of the OpenAI-style API, which uses the accounts' API keys. */
export const openaiRoutes: readonly Route[] = [
  { method: 'GET', path: '/v1/models', handle: withApiKey(listOpenaiModels) },
  { method: 'POST', path: '/v1/chat/completions', handle: withApiKey(createChatCompletion) },
];
