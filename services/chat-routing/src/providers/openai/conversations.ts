import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type HttpPools } from '../http-pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { createOpenAiClient } from './client.ts';
import { withCodedErrors, ignoreNotFound } from './failures.ts';
import { readListPage } from './lists.ts';

const identified = z.object({ id: z.string().min(1) });

/** Maximum bytes of an item; the newest item may be an image. */
const MAX_ITEM_BYTES = 32 * 1024 * 1024;

/** Creates an empty conversation at the upstream and returns its id. Throws a coded error. */
export async function createUpstreamConversation(pools: HttpPools, connection: UpstreamConnection): Promise<string> {
  const begun = identified.safeParse(await withCodedErrors(createOpenAiClient(pools, connection).conversations.create({})));
  if (begun.success) return begun.data.id;
  throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider began no conversation');
}

/** Checks that a conversation exists at the upstream. Throws CONVERSATION_DELETED_UPSTREAM or another coded error. */
export async function requireUpstreamConversation(pools: HttpPools, connection: UpstreamConnection, id: string): Promise<void> {
  await withCodedErrors(createOpenAiClient(pools, connection).conversations.retrieve(id), conversationDeletedError());
}

/** Whether the last item of a conversation is still `last`. Throws CONVERSATION_DELETED_UPSTREAM or another coded error. */
export async function isLastItem(pools: HttpPools, connection: UpstreamConnection, id: string, last: string): Promise<boolean> {
  const { items } = createOpenAiClient(pools, connection, { maxBytes: MAX_ITEM_BYTES }).conversations;
  const { data } = await readListPage(identified, items.list(id, { order: 'desc', limit: 1 }), conversationDeletedError());
  return data[0]?.id === last;
}

/** Creates the CONVERSATION_DELETED_UPSTREAM error. */
export function conversationDeletedError(): GatewayError {
  return new GatewayError('CONVERSATION_DELETED_UPSTREAM', 'the conversation was deleted upstream');
}

/** Deletes a conversation at the upstream; one that no longer exists is not an error. Throws a coded error. */
export async function deleteUpstreamConversation(pools: HttpPools, connection: UpstreamConnection, id: string): Promise<void> {
  await ignoreNotFound(createOpenAiClient(pools, connection).conversations.delete(id));
}
