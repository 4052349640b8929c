import { type MessagePosition, isRepeatedAnswer } from './replaced-answers.ts';

/** What decides whether a message is replayed to an upstream. */
export interface Replayable extends MessagePosition {
  content: string;
}

/** A question, which one request brought, with the answers to it: one of each attempt, and what was added behind it. */
interface QuestionRound<M> {
  request: M[];
  answers: M[];
  added: M[];
}

/**
 * The messages of a conversation that an upstream hears when it has to be told of them; `messages` are in order and stand before the turn
 * with the sequence `before`, of which they hold the system messages at most; without one (`undefined`) the last turn may still run.
 *
 * A question stands with its last answer that says something. One that has none, as its turn was refused or broke off at once, is left
 * out: the next question would follow it, and the client brings it again if it wants it answered. What a request brought before its
 * question, which no later request brings again, stays: messages up to the last of the assistant's, and the system messages that open
 * the conversation, unless a request brings others before anything is answered. Messages of no turn, imported or added upstream, stay as they are.
 */
export function selectReplayedHistory<M extends Replayable>(messages: readonly M[], before: number | undefined): M[] {
  const told = messages.filter((message) => !isAsked(message, before));
  const rounds = groupRounds(told);
  const kept = new Set(told);
  const leaveOut = (left: readonly M[]) => left.forEach((message) => kept.delete(message));
  rounds.forEach((round, index) => {
    const answer = round.answers.findLast(saysSomething);
    leaveOut(round.answers.filter((message) => message !== answer));
    const mayRun = before === undefined && index === rounds.length - 1 && round.answers.length === 0;
    if (answer || mayRun || isAnsweredUpstream(round)) return;
    leaveOut(round.request.slice(round.request.findLastIndex(({ role }) => role === 'assistant') + 1));
  });
  const spoken = told.findIndex((message) => kept.has(message) && message.role !== 'system');
  const asksWithSystem = messages.length > told.length;
  const opening = spoken < 0 && asksWithSystem ? [] : selectOpening(spoken < 0 ? told : told.slice(0, spoken));
  return told.filter((message) => kept.has(message) || opening.includes(message));
}

/** Of what stands before everything that is said: the system messages of the last request that brought any. */
function selectOpening<M extends Replayable>(ahead: readonly M[]): M[] {
  const systems = ahead.filter(({ ofTurn, role }) => ofTurn && role === 'system');
  return systems.filter(({ sequence }) => sequence === systems.at(-1)?.sequence);
}

function isAsked({ sequence }: Replayable, before: number | undefined): boolean {
  return before !== undefined && sequence >= before;
}

/** White space alone is nothing: some upstreams refuse a message of it. */
function saysSomething({ content }: Replayable): boolean {
  return content.trim() !== '';
}

/** The answer was taken away upstream and another one stands there. */
function isAnsweredUpstream<M extends Replayable>({ added: [next] }: QuestionRound<M>): boolean {
  return next?.role === 'assistant' && saysSomething(next);
}

function groupRounds<M extends Replayable>(messages: readonly M[]): QuestionRound<M>[] {
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
