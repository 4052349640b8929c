import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { isChatModel } from '../../domain/model-kind.ts';
import { type Pools, type RefusalMapper } from '../pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { toRefusal } from '../upstream-status.ts';

const model = z.object({
  id: z.string(),
  /** Together, LM Studio. */
  type: z.string().optional().catch(undefined),
  /** OpenRouter. */
  architecture: z
    .object({ output_modalities: z.array(z.string()) })
    .optional()
    .catch(undefined),
  /** Mistral. */
  capabilities: z.object({ completion_chat: z.boolean() }).optional().catch(undefined),
});

/** Together answers the list alone. */
const modelList = z.union([z.object({ data: z.array(model) }).transform(({ data }) => data), z.array(model)]);

/** Statuses of a server that has no list of models, or none at this path. */
const UNLISTED: ReadonlySet<number> = new Set([400, 404, 405, 410, 415, 422]);
/** What models that answer in chats are called where lists have the types of models. */
const CHAT_TYPES: ReadonlySet<string> = new Set(['chat', 'language', 'code', 'llm', 'vlm', 'model', 'text']);

/** The Authorization header of an account; none for an upstream that needs no key. */
export function authorization({ secret }: UpstreamConnection): Record<string, string> {
  return secret ? { authorization: `Bearer ${secret}` } : {};
}

/**
 * Asks `/models` what the account offers; what does not chat comes last. Throws a coded error, INVALID_REQUEST where there is no list.
 */
export async function listModels(pools: Pools, connection: UpstreamConnection): Promise<string[]> {
  const body = await pools.json(connection.baseUrl, '/models', { method: 'GET', headers: authorization(connection) }, refused);
  const models = modelList.safeParse(body);
  if (!models.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered with something that is no list of models');
  return [...models.data].sort((one, other) => Number(chats(other)) - Number(chats(one))).map(({ id }) => id);
}

const NO_LIST =
  'there is no list of models at the base URL: its path may be wrong (that of most servers ends with /v1); name the models of a server without a list';

const refused: RefusalMapper = (status, ...rest) => {
  const error = toRefusal(status, ...rest);
  const isUnlisted = UNLISTED.has(status) && error.condition !== 'PROVIDER_NO_CREDIT' && error.condition !== 'ACCOUNT_REAUTH_REQUIRED';
  return isUnlisted ? new GatewayError('INVALID_REQUEST', NO_LIST, { upstream: error.upstream }) : error;
};

/** What the list says counts before the name. */
function chats({ id, type, architecture, capabilities }: z.infer<typeof model>): boolean {
  if (capabilities) return capabilities.completion_chat;
  if (architecture) return architecture.output_modalities.includes('text') && isChatModel(id);
  if (type !== undefined) return CHAT_TYPES.has(type) && (type === 'chat' || isChatModel(id));
  return isChatModel(id);
}
