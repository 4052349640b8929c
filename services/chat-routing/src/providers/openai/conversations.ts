import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type Pools } from '../pools.ts';
import { type ProviderAccount } from '../provider.ts';
import { openAi } from './client.ts';
import { called, removed } from './failures.ts';

const conversation = z.object({ id: z.string().min(1) });

/** Begins an empty conversation and gives its id. Throws a coded error. */
export async function beginConversation(pools: Pools, account: ProviderAccount): Promise<string> {
  const begun = conversation.safeParse(await called(openAi(pools, account).conversations.create({})));
  if (begun.success) return begun.data.id;
  throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider began no conversation');
}

/** Asks whether a conversation is there. Throws CONVERSATION_DELETED_UPSTREAM, and what else the answer means. */
export async function requireConversation(pools: Pools, account: ProviderAccount, id: string): Promise<void> {
  await called(openAi(pools, account).conversations.retrieve(id), deletedUpstream());
}

/** What it means that a conversation is not there. */
export function deletedUpstream(): GatewayError {
  return new GatewayError('CONVERSATION_DELETED_UPSTREAM', 'the conversation was deleted upstream');
}

/** Deletes a conversation upstream; one that is gone is no error. Throws a coded error. */
export async function deleteConversation(pools: Pools, account: ProviderAccount, id: string): Promise<void> {
  await removed(openAi(pools, account).conversations.delete(id));
}
