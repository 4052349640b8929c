import { splitIntoPieces } from '../engine/split-into-pieces.ts';
import { quote } from '../engine/thread.ts';
import { type ReplyFault } from '../faults/chat-faults.ts';
import { Generation, type ReplyPlan } from '../generation/generation.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type SandboxContext } from '../sandbox-context.ts';
import { toTreeNode, type Conversation, type Turn } from '../state/conversations.ts';
import { type RecordedMessage } from '../state/state-changes.ts';
import { addConversation, newId } from './conversations.ts';
import { type MessageRequest } from './message-request.ts';
import { MODELS } from './models.ts';
import { planReply, toRecordedMessages } from './plan-reply.ts';
import { type PreparedTurn } from './prepare-turn.ts';

/** A turn and the generation of its reply. */
export interface StartedTurn {
  readonly turn: Turn;
  readonly generation: Generation;
}

/** Plans the pieces of a reply; with a fault it ends early with an error. */
export function createReplyPlan(text: string, fault: ReplyFault | undefined): ReplyPlan {
  const pieces = splitIntoPieces(text);
  return fault === undefined
    ? { pieces, ending: { reason: 'stop' } }
    : { pieces: pieces.slice(0, fault.afterChunks), ending: { reason: 'error', error: fault.error } };
}

/** Creates the conversation of a turn that was sent to `new`. @throws SandboxError 409 `parent_not_found` */
export function createConversationForTurn({ sandboxState }: SandboxContext, account: string, request: MessageRequest): Conversation {
  if (request.parent_id !== null) throw createParentNotFoundError();
  const first = request.messages.find((message) => message.role === 'user')?.content ?? '';
  const title = quote(first, 40).slice(1, -1) || 'New conversation';
  const id = addConversation(sandboxState, account, request.model ?? MODELS[0], title, request.project_id);
  const conversation = sandboxState.conversations.get(id);
  if (conversation === undefined) throw new Error(`conversation ${id} was not recorded`);
  return conversation;
}

/**
 * Returns the reply of a known turn; or, if it was interrupted and the request has `again`, starts a new one next to it.
 * @throws SandboxError 500 when a fault applies to an existing reply
 */
export function repeatTurn(
  sandbox: SandboxContext,
  conversation: Conversation,
  request: MessageRequest,
  prepared: PreparedTurn,
  known: Turn,
  fault: ReplyFault | undefined,
): StartedTurn {
  const reason = conversation.tree.get(known.replyId)?.finishReason;
  const brokeOff = reason === 'error' || reason === 'stopped' || reason === 'interrupted';
  if (!request.again || !brokeOff) return { turn: known, generation: resumeTurn(conversation, known, fault) };
  return startTurn(sandbox, conversation, { ...request, parent_id: known.promptId, messages: [] }, prepared, false, fault);
}

/** Returns the generation of a known turn: the running one, or its recorded outcome. */
function resumeTurn(conversation: Conversation, turn: Turn, fault: ReplyFault | undefined): Generation {
  // An existing reply cannot be interrupted any more, so the fault becomes the response.
  if (fault !== undefined) throw new SandboxError(500, fault.error.code, fault.error.message);
  if (turn.generation !== undefined) return turn.generation;
  const node = conversation.tree.get(turn.replyId);
  return Generation.createFinished(node?.content ?? '', { reason: node?.finishReason ?? 'interrupted', error: node?.error });
}

/**
 * Appends the messages of a turn and starts the reply, which continues to its end even without readers.
 * @throws SandboxError 409 `parent_not_found`
 */
export function startTurn(
  sandbox: SandboxContext,
  conversation: Conversation,
  request: MessageRequest,
  prepared: PreparedTurn,
  opened: boolean,
  fault?: ReplyFault,
): StartedTurn {
  const { sandboxState, pacing, runningGenerations } = sandbox;
  if (conversation.status === 'chain_broken' || !conversation.tree.canAppendTo(request.parent_id)) throw createParentNotFoundError();
  const at = Date.now();
  const messages = toRecordedMessages(request.parent_id, request.messages, at);
  const parent = messages.at(-1)?.id ?? request.parent_id;
  const path = [...conversation.tree.pathTo(request.parent_id), ...messages.map((message) => toTreeNode(message))];
  const { text, artifacts } = planReply(sandboxState, conversation, path, prepared);
  const reply: RecordedMessage = { id: newId('sm'), parent_id: parent, role: 'assistant', content: '', images: 0, at };
  const { client_turn_id: clientTurnId, model } = request;
  const brought = artifacts.length === 0 ? {} : { artifacts };
  sandboxState.record({
    type: 'turn',
    conversation: conversation.id,
    client_turn_id: clientTurnId,
    opened,
    model,
    messages,
    reply,
    ...brought,
  });
  const turn = conversation.turns.get(clientTurnId);
  const node = conversation.tree.get(reply.id);
  if (turn === undefined || node === undefined) throw new Error(`turn ${clientTurnId} was not recorded`);
  const generation = Generation.start(createReplyPlan(text, fault), pacing, (done) => {
    turn.generation = undefined;
    runningGenerations.delete(done);
    const { reason = 'interrupted', error } = done.ending ?? {};
    sandboxState.record({
      type: 'finish',
      conversation: conversation.id,
      message: reply.id,
      content: done.text,
      finish_reason: reason,
      error,
    });
  });
  if (generation.ending === undefined) {
    runningGenerations.add(generation);
    turn.generation = generation;
    node.liveGeneration = generation;
  }
  return { turn, generation };
}

/** Returns the tokens of the path before the reply, and of the reply. */
export function computeTurnUsage(conversation: Conversation, turn: Turn): { input_tokens: number; output_tokens: number } {
  const path = conversation.tree.pathTo(turn.replyId);
  const output = path.pop()?.tokens ?? 0;
  return { input_tokens: path.reduce((sum, node) => sum + node.tokens, 0), output_tokens: output };
}

/** Returns the error of a missing parent message. */
export function createParentNotFoundError(): SandboxError {
  return new SandboxError(409, 'parent_not_found', 'the parent message is not in this conversation');
}
