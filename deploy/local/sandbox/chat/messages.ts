import { z } from 'zod';
import { admitChatRequest, trackOpenStream } from '../faults/chat-faults.ts';
import { streamGeneration, type StreamFrames } from '../generation/stream-generation.ts';
import { readJson } from '../http/read-json.ts';
import { sendNoContent } from '../http/respond.ts';
import { type HttpExchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type AccountState } from '../state/accounts.ts';
import { type Conversation } from '../state/conversations.ts';
import { type RecordedArtifact } from '../state/state-changes.ts';
import { messageRequestSchema } from './message-request.ts';
import { checkModel } from './models.ts';
import { prepareTurn } from './prepare-turn.ts';
import { renderArtifactFrames } from './render-artifact-frames.ts';
import { repeatTurn, createConversationForTurn, startTurn, computeTurnUsage, type StartedTurn } from './turns.ts';
import { requireOwnConversation } from './with-session.ts';

const stopSchema = z.object({ message_id: z.string() });

function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function artifactFrame({ id, kind, name, mime_type }: RecordedArtifact): string {
  return frame('artifact', { id, kind, name, mime_type });
}

function framesOf(conversation: Conversation, { turn, generation }: StartedTurn): StreamFrames {
  const ids = { conversation_id: conversation.id, message_id: turn.replyId };
  return {
    opening: frame('accepted', { ...ids, parent_id: turn.promptId }),
    deltaHead: 'event: delta\ndata: {"text":',
    deltaTail: '}\n\n',
    framesAfterPiece: renderArtifactFrames(turn.artifacts, generation.pieces, artifactFrame),
    closing: ({ ending }) =>
      ending?.error === undefined
        ? frame('done', { message_id: turn.replyId, finish_reason: ending?.reason, usage: computeTurnUsage(conversation, turn) })
        : frame('error', ending.error),
  };
}

/**
 * `POST /api/conversations/:id/messages`, also with the id `new`: appends messages, and streams the reply. A repeated `client_turn_id`
 * appends nothing: it streams the reply of that turn, or, if that was interrupted and the request has `again`, a new one to the same
 * messages.
 */
export async function postMessage(exchange: HttpExchange, account: AccountState): Promise<void> {
  const { sandbox, req, res, params } = exchange;
  trackOpenStream(res, account);
  const request = await readJson(req, messageRequestSchema);
  if (request.model !== undefined) checkModel(request.model);
  const isNew = params.id === 'new';
  const admission = await admitChatRequest(res, account, isNew ? undefined : params.id);
  if (admission === undefined) return;
  const find = (): Conversation | undefined => {
    const id = isNew ? sandbox.sandboxState.conversations.findByOpeningTurn(account.account.id, request.client_turn_id)?.id : params.id;
    return id === undefined ? undefined : requireOwnConversation(exchange, account, id);
  };
  const prepared = await prepareTurn(sandbox, account, request, find());
  // Looked up again: the same turn may have been sent twice concurrently, and the conversation may have been deleted in the meantime.
  const conversation = find() ?? createConversationForTurn(sandbox, account.account.id, request);
  const known = conversation.turns.get(request.client_turn_id);
  const started =
    known === undefined
      ? startTurn(sandbox, conversation, request, prepared, isNew, admission.reply)
      : repeatTurn(sandbox, conversation, request, prepared, known, admission.reply);
  if (known === undefined) account.counters.turnsAccepted++;
  streamGeneration(res, started.generation, framesOf(conversation, started), admission.wire);
}

/** `POST /api/conversations/:id/stop`: ends the reply at its current text, which is kept; 204 also when it had ended. */
export async function stopMessage(exchange: HttpExchange, account: AccountState): Promise<void> {
  const { message_id: id } = await readJson(exchange.req, stopSchema);
  const conversation = requireOwnConversation(exchange, account, exchange.params.id ?? '');
  const turn = [...conversation.turns.values()].find((candidate) => candidate.replyId === id);
  if (turn === undefined) throw new SandboxError(404, 'message_not_found', 'this conversation has no such reply');
  turn.generation?.stop();
  sendNoContent(exchange.res);
}
