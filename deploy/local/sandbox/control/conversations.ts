import { z } from 'zod';
import { newId } from '../chat/conversations.ts';
import { readJson } from '../http/read-json.ts';
import { sendJson, sendNothing } from '../http/respond.ts';
import { type Exchange, type Handler } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type Conversation, type ConversationStatus } from '../state/conversations.ts';

const appendSchema = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() });

function conversationOf({ sandbox, params }: Exchange): Conversation {
  const conversation = sandbox.world.conversations.get(params.id ?? '');
  if (conversation === undefined) throw new SandboxError(404, 'conversation_not_found', 'there is no such conversation');
  return conversation;
}

/** Puts a conversation into a status: `POST /control/conversations/:id/{delete|break-chain|lose-access|restore}`. */
export function changeTo(status: ConversationStatus): Handler {
  return (exchange) => {
    exchange.sandbox.world.record({ type: 'status', conversation: conversationOf(exchange).id, status });
    sendNothing(exchange.res);
  };
}

/** `POST /control/conversations/:id/append`: a message that somebody wrote upstream, after the newest one. */
export async function appendMessage(exchange: Exchange): Promise<void> {
  const { id: conversation, tree } = conversationOf(exchange);
  const { role, content } = await readJson(exchange.req, appendSchema);
  const id = newId('sm');
  const message = { id, parent_id: tree.current, role, content, images: 0, at: Date.now() };
  exchange.sandbox.world.record({ type: 'message', conversation, message });
  sendJson(exchange.res, 201, { id, parent_id: message.parent_id });
}
