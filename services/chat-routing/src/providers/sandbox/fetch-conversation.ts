import { GatewayError } from '@parley/protos/errors';
import { type Pools } from '../pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { type UpstreamConversation } from '../provider.ts';
import { bearer } from './session.ts';
import { branch, readState, toRefusedError, type UpstreamState } from './wire.ts';

/** Maximum bytes of a whole conversation, which the conversation service receives in one call. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Returns the current branch of the conversation's tree. Throws a coded error, CONVERSATION_BUSY while its last reply is being written. */
export async function fetchConversation(pools: Pools, connection: UpstreamConnection, state: string): Promise<UpstreamConversation> {
  const known = readState(state);
  if (!known) return { upstreamState: '', messages: [] };
  const path = `/api/conversations/${encodeURIComponent(known.conversation)}/branch`;
  const body = await pools.json(
    connection.baseUrl,
    path,
    { method: 'GET', headers: bearer(connection), maxBytes: MAX_BYTES },
    toRefusedError,
  );
  const parsed = branch.safeParse(body);
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
