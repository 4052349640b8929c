import { type UpstreamMessage } from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type HttpPools } from '../http-pools.ts';
import { type UpstreamConversation } from '../provider.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { createOpenAiClient } from './client.ts';
import { conversationDeletedError, requireUpstreamConversation } from './conversations.ts';
import { iteratePages } from './lists.ts';
import { parseState } from './state.ts';

/** Maximum bytes of a page of items, which may be long or contain images. */
const MAX_PAGE_BYTES = 32 * 1024 * 1024;

const item = z.looseObject({ id: z.string().min(1), type: z.string() });
const message = z.object({
  id: z.string(),
  type: z.literal('message'),
  role: z.string(),
  status: z.string(),
  content: z.array(z.object({ text: z.string().optional(), refusal: z.string().optional() })),
});

type Item = z.infer<typeof item>;

const ROLES: Readonly<Record<string, string>> = { user: 'user', assistant: 'assistant', system: 'system', developer: 'system' };

/**
 * Returns the messages that were added to a conversation after the gateway's last turn (`onlyAdded`): the API stores neither turn ids nor
 * creation times of items, so older ones cannot be identified. Throws a coded error: CONVERSATION_DELETED_UPSTREAM,
 * CONVERSATION_CONTINUITY_LOST when the last item of the last turn no longer exists, CONVERSATION_BUSY while an item is being written.
 */
export async function fetchConversation(pools: HttpPools, connection: UpstreamConnection, state: string): Promise<UpstreamConversation> {
  const known = parseState(state);
  if (!known) return { upstreamState: '', messages: [], onlyAdded: true };
  if (!known.last) {
    // The next turn sends the whole history, so what an incomplete turn left there does not matter.
    await requireUpstreamConversation(pools, connection, known.conversation);
    return { upstreamState: state, messages: [], onlyAdded: true };
  }
  const added = await itemsBehind(pools, connection, known.conversation, known.last);
  const last = added.at(-1)?.id ?? known.last;
  return { upstreamState: JSON.stringify({ ...known, last }), messages: added.flatMap(toMessage), onlyAdded: true };
}

/** Returns the items after the one with the id `last`, oldest first. */
async function itemsBehind(pools: HttpPools, connection: UpstreamConnection, conversation: string, last: string): Promise<Item[]> {
  const { items } = createOpenAiClient(pools, connection, { maxBytes: MAX_PAGE_BYTES }).conversations;
  const newestFirst: Item[] = [];
  for await (const page of iteratePages(
    item,
    (query) => items.list(conversation, { ...query, order: 'desc' }),
    conversationDeletedError(),
  )) {
    const at = page.findIndex(({ id }) => id === last);
    newestFirst.push(...page.slice(0, at < 0 ? undefined : at));
    if (at >= 0) return newestFirst.reverse();
  }
  throw new GatewayError('CONVERSATION_CONTINUITY_LOST', 'the chain of messages is broken upstream');
}

function toMessage(one: Item): UpstreamMessage[] {
  if (one.type !== 'message') return [];
  const parsed = message.safeParse(one);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider returned a message that is not valid');
  const { id, status, content } = parsed.data;
  if (status === 'in_progress')
    throw new GatewayError('CONVERSATION_BUSY', 'the upstream is still answering in this conversation', { retryAfterMs: 1_000 });
  const role = ROLES[parsed.data.role];
  const text = content.map((part) => part.text ?? part.refusal ?? '').join('');
  return role ? [{ upstreamId: id, role, text, model: '', createdAt: undefined, clientTurnId: '' }] : [];
}
