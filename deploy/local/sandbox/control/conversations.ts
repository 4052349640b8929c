import { z } from 'zod';
import { newId } from '../chat/conversations.ts';
import { createParentNotFoundError } from '../chat/turns.ts';
import { readJson } from '../http/read-json.ts';
import { sendJson, sendNoContent } from '../http/respond.ts';
import { type HttpExchange, type Handler } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type Conversation, type ConversationStatus } from '../state/conversations.ts';

const appendSchema = z.object({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string(),
  /** @default the newest message */
  parent_id: z.string().optional(),
});
const editSchema = z.object({ content: z.string() });

function conversationOf({ sandbox, params }: HttpExchange): Conversation {
  const conversation = sandbox.sandboxState.conversations.get(params.id ?? '');
  if (conversation === undefined) throw new SandboxError(404, 'conversation_not_found', 'there is no such conversation');
  return conversation;
}

/**
 * Returns the handler that sets the status of a conversation: `POST /control/conversations/:id/{delete|break-chain|lose-access|restore}`.
 */
export function createStatusHandler(status: ConversationStatus): Handler {
  return (exchange) => {
    exchange.sandbox.sandboxState.record({ type: 'status', conversation: conversationOf(exchange).id, status });
    sendNoContent(exchange.res);
  };
}

/**
 * `POST /control/conversations/:id/append`: appends a message as if written upstream, after the newest one or after `parent_id`, which
 * makes another branch the current one.
 * @throws SandboxError 409 `parent_not_found`
 */
export async function appendMessage(exchange: HttpExchange): Promise<void> {
  const { id: conversation, tree } = conversationOf(exchange);
  const { role, content, parent_id: parent = tree.current } = await readJson(exchange.req, appendSchema);
  if (!tree.canAppendTo(parent)) throw createParentNotFoundError();
  const id = newId('sm');
  const message = { id, parent_id: parent, role, content, images: 0, at: Date.now() };
  exchange.sandbox.sandboxState.record({ type: 'message', conversation, message });
  sendJson(exchange.res, 201, { id, parent_id: parent });
}

/** `PUT /control/conversations/:id/messages/:message`: changes the text of a message. @throws SandboxError 404, 409 while it is being written */
export async function editMessage(exchange: HttpExchange): Promise<void> {
  const { id: conversation, tree } = conversationOf(exchange);
  const { content } = await readJson(exchange.req, editSchema);
  const node = tree.get(exchange.params.message ?? '');
  if (node === undefined) throw new SandboxError(404, 'message_not_found', 'this conversation has no such message');
  if (node.liveGeneration !== undefined) throw new SandboxError(409, 'message_in_progress', 'the message is still being written');
  exchange.sandbox.sandboxState.record({ type: 'edit', conversation, message: node.id, content });
  sendNoContent(exchange.res);
}
