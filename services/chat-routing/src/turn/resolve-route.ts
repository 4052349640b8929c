import { requireAttachments } from './attachments.ts';
import { chooseAccount } from './choose-account.ts';
import { continueConversation } from './continue-conversation.ts';
import { type TurnDeps } from './deps.ts';
import { reclaimConversation } from './reclaim-conversation.ts';
import { type Route } from './route.ts';
import { type TurnCall } from './turn-context.ts';

/** Resolves the routing headers of a request to a connection. Throws the coded refusal of what does not fit. */
export async function resolveRoute(deps: TurnDeps, turnCall: Pick<TurnCall, 'request' | 'call' | 'reclaims'>): Promise<Route> {
  const { request, call } = turnCall;
  const files = request.attachmentFileIds.length > 0 ? await requireAttachments(deps, request, call) : undefined;
  const loaded = deps.accounts.of(call.caller.workspaceId);
  const accounts = loaded instanceof Promise ? await loaded : loaded;
  if (request.conversationId) {
    const route = await continueConversation(deps, turnCall, accounts);
    return files ? { ...route, files } : route;
  }
  const reclaimed = request.retry ? await reclaimConversation(deps, turnCall, accounts) : undefined;
  return reclaimed ?? chooseAccount(deps, request, call, accounts);
}
