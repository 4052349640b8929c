import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { readJson } from '../http/read-json.ts';
import { sendJson, sendNoContent } from '../http/respond.ts';
import { type HttpExchange } from '../http/router.ts';
import { type AccountState } from '../state/accounts.ts';
import { type Conversation } from '../state/conversations.ts';
import { getNodeText, type TreeNode } from '../state/message-tree.ts';
import { type SandboxState } from '../state/sandbox-state.ts';
import { checkModel, MODELS } from './models.ts';
import { requireOwnConversation, requireOwnProject } from './with-session.ts';

const conversationSchema = z.object({
  model: z.string().default(MODELS[0]),
  title: z.string().max(500).optional(),
  project_id: z.string().optional(),
});

/**
 * Returns a new id: `sc_` for conversations, `sm_` for messages, `sp_` for projects, `sf_` for files, `sa_` for artifacts, `st_` for
 * tickets.
 */
export function newId(prefix: 'sc' | 'sm' | 'sp' | 'sf' | 'sa' | 'st'): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}

/** Creates an empty conversation and returns its id. */
export function addConversation(sandboxState: SandboxState, account: string, model: string, title: string, project?: string): string {
  const id = newId('sc');
  sandboxState.record({ type: 'conversation', id, account, model, title, project, at: Date.now() });
  return id;
}

/** `POST /api/conversations`. */
export async function createConversation({ sandbox, req, res }: HttpExchange, { account }: AccountState): Promise<void> {
  const { model, title = 'New conversation', project_id: project } = await readJson(req, conversationSchema);
  checkModel(model);
  if (project !== undefined) requireOwnProject(sandbox, account.id, project);
  sendJson(res, 201, { id: addConversation(sandbox.sandboxState, account.id, model, title, project), title, model });
}

/** `GET /api/conversations/:id`: all messages, and the newest as `current_node`. */
export function getConversation(exchange: HttpExchange, account: AccountState): void {
  sendJson(exchange.res, 200, conversationView(requireOwnConversation(exchange, account, exchange.params.id ?? '')));
}

/** `DELETE /api/conversations/:id`. */
export function deleteConversation(exchange: HttpExchange, account: AccountState): void {
  const { id } = requireOwnConversation(exchange, account, exchange.params.id ?? '');
  exchange.sandbox.sandboxState.record({ type: 'status', conversation: id, status: 'deleted' });
  sendNoContent(exchange.res);
}

/** `DELETE /api/openings/:id`: deletes the conversation that the turn with this `client_turn_id` opened. */
export function deleteOpening(exchange: HttpExchange, signedIn: AccountState): void {
  const { sandboxState } = exchange.sandbox;
  const opened = sandboxState.conversations.findByOpeningTurn(signedIn.account.id, exchange.params.id ?? '');
  const { id } = requireOwnConversation(exchange, signedIn, opened?.id ?? '');
  sandboxState.record({ type: 'status', conversation: id, status: 'deleted' });
  sendNoContent(exchange.res);
}

function nodeView(node: TreeNode): Record<string, unknown> {
  return {
    id: node.id,
    parent_id: node.parentId,
    role: node.role,
    content: getNodeText(node),
    image_count: node.images,
    ...(node.role === 'assistant' ? { finish_reason: node.finishReason ?? null } : {}),
    ...(node.error === undefined ? {} : { error: node.error }),
    created_at: new Date(node.at).toISOString(),
  };
}

function conversationView({ id, title, model, at, tree }: Conversation): Record<string, unknown> {
  return { id, title, model, created_at: new Date(at).toISOString(), current_node: tree.current, nodes: tree.all().map(nodeView) };
}
