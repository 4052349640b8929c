import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type Pools } from '../pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { openAi } from './client.ts';
import { withFailures, withoutMissing } from './failures.ts';
import { readList } from './lists.ts';

const identified = z.object({ id: z.string().min(1) });

/** Maximum bytes of an item; the newest item may be an image. */
const MAX_ITEM_BYTES = 32 * 1024 * 1024;

/** Creates an empty conversation at the upstream and returns its id. Throws a coded error. */
export async function beginConversation(pools: Pools, connection: UpstreamConnection): Promise<string> {
  const begun = identified.safeParse(await withFailures(openAi(pools, connection).conversations.create({})));
  if (begun.success) return begun.data.id;
  throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider began no conversation');
}

/** Checks that a conversation exists at the upstream. Throws CONVERSATION_DELETED_UPSTREAM or another coded error. */
export async function requireConversation(pools: Pools, connection: UpstreamConnection, id: string): Promise<void> {
  await withFailures(openAi(pools, connection).conversations.retrieve(id), conversationDeletedError());
}

/** Whether the last item of a conversation is still `last`. Throws CONVERSATION_DELETED_UPSTREAM or another coded error. */
export async function isLastItem(pools: Pools, connection: UpstreamConnection, id: string, last: string): Promise<boolean> {
  const { items } = openAi(pools, connection, { maxBytes: MAX_ITEM_BYTES }).conversations;
  const { data } = await readList(identified, items.list(id, { order: 'desc', limit: 1 }), conversationDeletedError());
  return data[0]?.id === last;
}

/** Creates the CONVERSATION_DELETED_UPSTREAM error. */
export function conversationDeletedError(): GatewayError {
  return new GatewayError('CONVERSATION_DELETED_UPSTREAM', 'the conversation was deleted upstream');
}

/** Deletes a conversation at the upstream; one that no longer exists is not an error. Throws a coded error. */
export async function deleteConversation(pools: Pools, connection: UpstreamConnection, id: string): Promise<void> {
  await withoutMissing(openAi(pools, connection).conversations.delete(id));
}
