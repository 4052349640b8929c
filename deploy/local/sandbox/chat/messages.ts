import { z } from 'zod';
import { admit, watch } from '../faults/admission.ts';
import { deliver, type Frames } from '../generation/delivery.ts';
import { readJson } from '../http/read-json.ts';
import { sendNothing } from '../http/respond.ts';
import { type Exchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type AccountState } from '../state/accounts.ts';
import { type Conversation, type Turn } from '../state/conversations.ts';
import { messageRequestSchema } from './message-request.ts';
import { checkModel } from './models.ts';
import { ownConversation } from './signed-in.ts';
import { answerAgain, openConversation, startTurn, usageOf } from './turns.ts';

const stopSchema = z.object({ message_id: z.string() });

function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function framesOf(conversation: Conversation, turn: Turn): Frames {
  const ids = { conversation_id: conversation.id, message_id: turn.replyId };
  return {
    opening: frame('accepted', { ...ids, parent_id: turn.promptId }),
    deltaHead: 'event: delta\ndata: {"text":',
    deltaTail: '}\n\n',
    closing: ({ ending }) =>
      ending?.error === undefined
        ? frame('done', { message_id: turn.replyId, finish_reason: ending?.reason, usage: usageOf(conversation, turn) })
        : frame('error', ending.error),
  };
}

/**
 * `POST /api/conversations/:id/messages`, also with the id `new`: appends, and streams the reply.
 * A `client_turn_id` that was seen before appends nothing: it answers with the reply of that turn, or with another one under the same
 * messages where that broke off and the request says `again`.
 */
export async function postMessage(exchange: Exchange, account: AccountState): Promise<void> {
  const { sandbox, req, res, params } = exchange;
  watch(res, account);
  const request = await readJson(req, messageRequestSchema);
  if (request.model !== undefined) checkModel(request.model);
  const isNew = params.id === 'new';
  const admission = await admit(res, account, isNew ? undefined : params.id);
  if (admission === undefined) return;
  const opened = isNew ? sandbox.world.conversations.openedBy(account.account.id, request.client_turn_id)?.id : params.id;
  const conversation =
    opened === undefined ? openConversation(sandbox, account.account.id, request) : ownConversation(exchange, account, opened);
  const known = conversation.turns.get(request.client_turn_id);
  const { turn, generation } =
    known === undefined
      ? startTurn(sandbox, conversation, request, isNew, admission.reply)
      : answerAgain(sandbox, conversation, request, known, admission.reply);
  if (known === undefined) account.counters.turnsAccepted++;
  deliver(res, generation, framesOf(conversation, turn), admission.wire);
}

/** `POST /api/conversations/:id/stop`: the reply ends where it is and is kept; 204 also when it had ended. */
export async function stopMessage(exchange: Exchange, account: AccountState): Promise<void> {
  const { message_id: id } = await readJson(exchange.req, stopSchema);
  const conversation = ownConversation(exchange, account, exchange.params.id ?? '');
  const turn = [...conversation.turns.values()].find((candidate) => candidate.replyId === id);
  if (turn === undefined) throw new SandboxError(404, 'message_not_found', 'this conversation has no such reply');
  turn.generation?.stop();
  sendNothing(exchange.res);
}
