import { GatewayError } from '@parley/protos/errors';
import { type HttpPools } from '../http-pools.ts';
import { type UpstreamConversation } from '../provider.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { toBearerHeader } from './session.ts';
import { branchSchema, parseState, toResponseError, type UpstreamState } from './wire.ts';

/** Maximum bytes of a whole conversation, which the conversation service receives in one call. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Returns the current branch of the conversation's tree. Throws a coded error, CONVERSATION_BUSY while its last reply is being written. */
export async function fetchConversation(pools: HttpPools, connection: UpstreamConnection, state: string): Promise<UpstreamConversation> {
  const known = parseState(state);
  if (!known) return { upstreamState: '', messages: [] };
  const path = `/api/conversations/${encodeURIComponent(known.conversation)}/branch`;
  const body = await pools.requestJson(
    connection.baseUrl,
    path,
    { method: 'GET', headers: toBearerHeader(connection), maxBytes: MAX_BYTES },
    toResponseError,
  );
  const parsed = branchSchema.safeParse(body);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox did not return the conversation');
  const { current_node: message, messages } = parsed.data;
  if (messages.some(({ finish_reason: reason }) => reason === null)) {
    throw new GatewayError('CONVERSATION_BUSY', 'the upstream is still answering in this conversation', { retryAfterMs: 1_000 });
  }
  const current: UpstreamState | undefined = message === null ? undefined : { conversation: known.conversation, message };
  return {
    upstreamState: current ? JSON.stringify(current) : '',
    messages: messages.map(({ id, role, content, model, created_at: createdAt, client_turn_id: turnId }) => ({
      ...{ upstreamId: id, role, text: content, model: model ?? '', createdAt: new Date(createdAt), clientTurnId: turnId ?? '' },
    })),
  };
}
