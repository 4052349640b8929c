import { type MessagePosition, isRepeatedAnswer } from './replaced-answers.ts';

/** The fields that decide whether a message is replayed to an upstream. */
export interface ReplayableMessage extends MessagePosition {
  content: string;
}

/** The request messages of one turn, the answers of the turn and its repetitions, and the messages added after them. */
interface QuestionRound<M> {
  request: M[];
  answers: M[];
  added: M[];
}

/**
 * Selects the messages to send when an upstream needs the history of a conversation. `messages` are in order and precede the turn with the
 * sequence `before`, of which they contain at most the system messages; with `undefined` the last turn may still be running.
 *
 * A question is replayed with its last answer that is not blank. A question without one (its turn was rejected or interrupted at once) is
 * left out: the next question would follow it directly, and the client sends it again if it still wants an answer. The part of a request
 * that no later request repeats stays: messages up to the last assistant message, and the system messages that open the conversation,
 * unless a later request replaces them before the first answer. Messages without a turn (imported, or added at the upstream) stay.
 */
export function selectReplayedHistory<M extends ReplayableMessage>(messages: readonly M[], before: number | undefined): M[] {
  const earlier = messages.filter((message) => !isOfAskingTurn(message, before));
  const rounds = groupRounds(earlier);
  const kept = new Set(earlier);
  const leaveOut = (left: readonly M[]) => left.forEach((message) => kept.delete(message));
  rounds.forEach((round, index) => {
    const answer = round.answers.findLast(hasText);
    leaveOut(round.answers.filter((message) => message !== answer));
    const mayRun = before === undefined && index === rounds.length - 1 && round.answers.length === 0;
    if (answer || mayRun || isAnsweredUpstream(round)) return;
    leaveOut(round.request.slice(round.request.findLastIndex(({ role }) => role === 'assistant') + 1));
  });
  const firstMessage = earlier.findIndex((message) => kept.has(message) && message.role !== 'system');
  const asksWithSystem = messages.length > earlier.length;
  const opening = firstMessage < 0 && asksWithSystem ? [] : selectOpening(firstMessage < 0 ? earlier : earlier.slice(0, firstMessage));
  return earlier.filter((message) => kept.has(message) || opening.includes(message));
}

/** The system messages of the last request that has any, before the first replayed message. */
function selectOpening<M extends ReplayableMessage>(ahead: readonly M[]): M[] {
  const systems = ahead.filter(({ ofTurn, role }) => ofTurn && role === 'system');
  return systems.filter(({ sequence }) => sequence === systems.at(-1)?.sequence);
}

function isOfAskingTurn({ sequence }: ReplayableMessage, before: number | undefined): boolean {
  return before !== undefined && sequence >= before;
}

/** Some upstreams reject a message of white space only. */
function hasText({ content }: ReplayableMessage): boolean {
  return content.trim() !== '';
}

/** True when the upstream has another answer in place of the removed one. */
function isAnsweredUpstream<M extends ReplayableMessage>({ added: [next] }: QuestionRound<M>): boolean {
  return next?.role === 'assistant' && hasText(next);
}

function groupRounds<M extends ReplayableMessage>(messages: readonly M[]): QuestionRound<M>[] {
  const lastOf = new Map(messages.filter(({ ofTurn }) => ofTurn).map((message) => [message.sequence, message]));
  const rounds: QuestionRound<M>[] = [];
  let current: QuestionRound<M> | undefined;
  let sequence = 0;
  for (const message of messages) {
    if (!message.ofTurn) {
      current?.added.push(message);
      continue;
    }
    if (!current || (message.sequence !== sequence && !isRepeatedAnswer(message))) {
      current = { request: [], answers: [], added: [] };
      rounds.push(current);
    }
    sequence = message.sequence;
    const isAnswer = message.role === 'assistant' && lastOf.get(sequence) === message;
    (isAnswer ? current.answers : current.request).push(message);
  }
  return rounds;
}
