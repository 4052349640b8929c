import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { isChatModel } from '../../domain/model-kind.ts';
import { type HttpPools, type ErrorResponseMapper } from '../http-pools.ts';
import { toStatusError } from '../status-error.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';

const model = z.object({
  id: z.string(),
  /** Sent by Together and LM Studio. */
  type: z.string().optional().catch(undefined),
  /** Sent by OpenRouter. */
  architecture: z
    .object({ output_modalities: z.array(z.string()) })
    .optional()
    .catch(undefined),
  /** Sent by Mistral. */
  capabilities: z.object({ completion_chat: z.boolean() }).optional().catch(undefined),
});

/** Together returns a bare array. */
const modelList = z.union([z.object({ data: z.array(model) }).transform(({ data }) => data), z.array(model)]);

/** Statuses of servers without a model list at this path. */
const UNLISTED: ReadonlySet<number> = new Set([400, 404, 405, 410, 415, 422]);
/** Values of `type` that chat models have. */
const CHAT_TYPES: ReadonlySet<string> = new Set(['chat', 'language', 'code', 'llm', 'vlm', 'model', 'text']);

/** Returns the Authorization header of a connection; empty for one without a key. */
export function toAuthorizationHeader({ secret }: UpstreamConnection): Record<string, string> {
  return secret ? { authorization: `Bearer ${secret}` } : {};
}

/**
 * Returns the model names listed at `/models`, chat models first. Throws a coded error; INVALID_REQUEST when there is no list.
 */
export async function listModels(pools: HttpPools, connection: UpstreamConnection): Promise<string[]> {
  const body = await pools.requestJson(
    connection.baseUrl,
    '/models',
    { method: 'GET', headers: toAuthorizationHeader(connection) },
    refused,
  );
  const models = modelList.safeParse(body);
  if (!models.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered with something that is no list of models');
  return [...models.data].sort((one, other) => Number(chats(other)) - Number(chats(one))).map(({ id }) => id);
}

const NO_LIST =
  'there is no list of models at the base URL: its path may be wrong (that of most servers ends with /v1); name the models of a server without a list';

const refused: ErrorResponseMapper = (status, ...rest) => {
  const error = toStatusError(status, ...rest);
  const isUnlisted = UNLISTED.has(status) && error.condition !== 'PROVIDER_NO_CREDIT' && error.condition !== 'ACCOUNT_REAUTH_REQUIRED';
  return isUnlisted ? new GatewayError('INVALID_REQUEST', NO_LIST, { upstream: error.upstream }) : error;
};

/** Whether a model answers chats: by the facts in the list, else by its name. */
function chats({ id, type, architecture, capabilities }: z.infer<typeof model>): boolean {
  if (capabilities) return capabilities.completion_chat;
  if (architecture) return architecture.output_modalities.includes('text') && isChatModel(id);
  if (type !== undefined) return CHAT_TYPES.has(type) && (type === 'chat' || isChatModel(id));
  return isChatModel(id);
}
