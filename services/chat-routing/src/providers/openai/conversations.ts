import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type Pools } from '../pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { openAi } from './client.ts';
import { withFailures, withoutMissing } from './failures.ts';
import { readList } from './lists.ts';

const identified = z.object({ id: z.string().min(1) });

/** The newest item may be an image. */
const MAX_ITEM_BYTES = 32 * 1024 * 1024;

/** Begins an empty conversation and gives its id. Throws a coded error. */
export async function beginConversation(pools: Pools, connection: UpstreamConnection): Promise<string> {
  const begun = identified.safeParse(await withFailures(openAi(pools, connection).conversations.create({})));
  if (begun.success) return begun.data.id;
  throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider began no conversation');
}

/** Asks whether a conversation is there. Throws CONVERSATION_DELETED_UPSTREAM, and what else the answer means. */
export async function requireConversation(pools: Pools, connection: UpstreamConnection, id: string): Promise<void> {
  await withFailures(openAi(pools, connection).conversations.retrieve(id), deletedUpstream());
}

/** Whether a conversation ends with this item still. Throws CONVERSATION_DELETED_UPSTREAM, and what else the answer means. */
export async function endsWith(pools: Pools, connection: UpstreamConnection, id: string, last: string): Promise<boolean> {
  const { items } = openAi(pools, connection, { maxBytes: MAX_ITEM_BYTES }).conversations;
  const { data } = await readList(identified, items.list(id, { order: 'desc', limit: 1 }), deletedUpstream());
  return data[0]?.id === last;
}

/** What it means that a conversation is not there. */
export function deletedUpstream(): GatewayError {
  return new GatewayError('CONVERSATION_DELETED_UPSTREAM', 'the conversation was deleted upstream');
}

/** Deletes a conversation upstream; one that is gone is no error. Throws a coded error. */
export async function deleteConversation(pools: Pools, connection: UpstreamConnection, id: string): Promise<void> {
  await withoutMissing(openAi(pools, connection).conversations.delete(id));
}
