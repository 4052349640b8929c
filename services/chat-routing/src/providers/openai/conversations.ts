import { GatewayError } from '@parley/protos/errors';
import { type Pools } from '../pools.ts';
import { type ProviderAccount } from '../provider.ts';
import { openAi } from './client.ts';
import { called, removed } from './failures.ts';

/** Begins an empty conversation and gives its id. Throws a coded error. */
export async function beginConversation(pools: Pools, account: ProviderAccount): Promise<string> {
  const { id }: { id: unknown } = await called(openAi(pools, account).conversations.create({}));
  if (typeof id === 'string' && id !== '') return id;
  throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider began no conversation');
}

/** Asks whether a conversation is there. Throws CONVERSATION_DELETED_UPSTREAM, and what else the answer means. */
export async function requireConversation(pools: Pools, account: ProviderAccount, id: string): Promise<void> {
  const gone = new GatewayError('CONVERSATION_DELETED_UPSTREAM', 'the conversation was deleted upstream');
  await called(openAi(pools, account).conversations.retrieve(id), gone);
}

/** Deletes a conversation upstream; one that is gone is no error. Throws a coded error. */
export async function deleteConversation(pools: Pools, account: ProviderAccount, id: string): Promise<void> {
  await removed(openAi(pools, account).conversations.delete(id));
}
