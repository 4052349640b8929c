import { applyChatFault } from '../faults/chat-faults.ts';
import { sendJson } from '../http/respond.ts';
import { type HttpExchange } from '../http/router.ts';
import { type AccountState } from '../state/accounts.ts';
import { getNodeText, type TreeNode } from '../state/message-tree.ts';
import { createParentNotFoundError } from './turns.ts';
import { requireOwnConversation } from './with-session.ts';

function messageView(node: TreeNode): Record<string, unknown> {
  return {
    id: node.id,
    role: node.role,
    content: getNodeText(node),
    client_turn_id: node.clientTurnId ?? null,
    ...(node.role === 'assistant'
      ? { model: node.model ?? null, finish_reason: node.finishReason ?? (node.liveGeneration ? null : 'stop') }
      : {}),
    created_at: new Date(node.at).toISOString(),
  };
}

/**
 * `GET /api/conversations/:id/branch`: sends the path from the first message to the newest one, after which the conversation continues.
 * Applies the faults of its account.
 * @throws SandboxError 409 `parent_not_found` while the chain is broken
 */
export async function getBranch(exchange: HttpExchange, account: AccountState): Promise<void> {
  const id = exchange.params.id ?? '';
  if ((await applyChatFault(exchange.res, account, id)) === undefined) return;
  const { title, model, tree, status } = requireOwnConversation(exchange, account, id);
  if (status === 'chain_broken') throw createParentNotFoundError();
  sendJson(exchange.res, 200, { id, title, model, current_node: tree.current, messages: tree.pathTo(tree.current).map(messageView) });
}
