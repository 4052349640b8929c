import { type Call } from '@parley/kit/rpc/call';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type Account } from '../accounts/account.ts';
import { continueConversation } from './continue-conversation.ts';
import { type TurnDeps } from './deps.ts';
import { recallTurn } from './recall-turn.ts';
import { isRecordAway } from './record-error.ts';
import { type Route } from './route.ts';

/**
 * The route of a retry into the conversation that its refused first attempt opened, instead of into another one with the same message.
 * Undefined when there is none, or when its account cannot take the turn now. Only declared retries ask, so a first attempt pays nothing.
 */
export async function reclaimConversation(
  deps: TurnDeps,
  request: TurnRequest,
  call: Call,
  accounts: readonly Account[],
): Promise<Route | undefined> {
  // An idempotency key finds the first attempt by itself.
  if (!request.retry || request.idempotencyKey || request.requestDigest.length === 0) return undefined;
  const refused = await recallTurn(deps, { $case: 'refusedDigest', value: request.requestDigest }, call);
  if (!refused) return undefined;
  const { conversationId, turnId } = refused;
  const route = await continueConversation(deps, { ...request, conversationId }, call, accounts, { reclaims: true }).catch(
    (error: unknown) => {
      if (isRecordAway(error)) throw error;
      return undefined;
    },
  );
  // Whoever else sends the same request may have been faster.
  if (route?.binding?.lastTurn?.turnId === turnId) return { ...route, reclaimed: true };
  if (route?.probing) deps.accounts.health.releaseProbe(route.account);
  return undefined;
}
