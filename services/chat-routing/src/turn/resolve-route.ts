import { type Call } from '@parley/kit/rpc/call';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { requireAttachments } from './attachments.ts';
import { chooseAccount } from './choose-account.ts';
import { continueConversation } from './continue-conversation.ts';
import { type TurnDeps } from './deps.ts';
import { reclaimConversation } from './reclaim-conversation.ts';
import { type Route } from './route.ts';

/** Resolves routing headers to an account (spec §4.1, §4.2). Throws the coded refusal of whatever does not fit. */
export async function resolveRoute(deps: TurnDeps, request: TurnRequest, call: Call, reclaims = false): Promise<Route> {
  const files = request.attachmentFileIds.length > 0 ? await requireAttachments(deps, request, call) : undefined;
  const loaded = deps.accounts.of(call.caller.workspaceId);
  const accounts = loaded instanceof Promise ? await loaded : loaded;
  if (request.conversationId) {
    const route = await continueConversation(deps, request, call, accounts, { reclaims });
    return files ? { ...route, files } : route;
  }
  const reclaimed = request.retry ? await reclaimConversation(deps, request, call, accounts) : undefined;
  return reclaimed ?? chooseAccount(deps, request, call, accounts);
}
