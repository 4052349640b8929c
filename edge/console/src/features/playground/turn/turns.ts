import { type QueryClient } from '@tanstack/react-query';
import { type Message, messagesQuery } from '../../../live/conversations.ts';
import { refreshConversations } from '../../../live/refresh-conversations.ts';
import { RunningTurn, type TurnRequest } from './running-turn.ts';
import { deleteUnfinishedTurn, saveUnfinishedTurn } from './unfinished-turn.ts';

/** The key of a running turn: its conversation, or that of a conversation that the turn creates. */
export type TurnSlot = string;

/** Returns the slot of a conversation of a workspace; without a conversation, that of a new one. */
export function toTurnSlot(workspaceId: string, conversationId?: string): TurnSlot {
  return `${workspaceId}/${conversationId ?? 'new'}`;
}

const turns = new Map<TurnSlot, RunningTurn>();
const listeners = new Set<() => void>();

/** For `useSyncExternalStore`. */
export const runningTurns = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  of: (slot: TurnSlot) => turns.get(slot),
};

function put(slot: TurnSlot, turn: RunningTurn | undefined): void {
  if (turn) turns.set(slot, turn);
  else turns.delete(slot);
  for (const listener of listeners) listener();
}

/** Clears the slot of a new conversation; its running turn stays in the slot of its conversation. */
export function clearNewConversation(workspaceId: string): void {
  put(toTurnSlot(workspaceId), undefined);
}

/** Options of `startTurn`. */
export interface StartTurnOptions {
  queries: QueryClient;
  /** Messages that the record had before, those excluded that the turn replaces. */
  before: readonly Message[];
  /** The question is in the record already: the answer is another attempt. */
  isQuestionRecorded: boolean;
  /** A conversation was begun. */
  onConversation: (conversationId: string) => void;
}

/** Starts a turn. It goes on while other screens are shown; when it has ended, the recorded messages replace it. */
export function startTurn(
  slot: TurnSlot,
  request: TurnRequest,
  { queries, before, isQuestionRecorded, onConversation }: StartTurnOptions,
): void {
  const turn = new RunningTurn(request, new Set(before.map(({ id }) => id)), isQuestionRecorded);
  put(slot, turn);
  const { workspaceId, idempotencyKey, model, headers, attachments } = request;
  const begun = (conversationId: string) => {
    saveUnfinishedTurn(conversationId, { idempotencyKey, model, headers, attachments });
    const own = toTurnSlot(workspaceId, conversationId);
    if (own === slot) return;
    put(own, turn);
    if (turns.get(slot) === turn) {
      put(slot, undefined);
      onConversation(conversationId);
    }
  };
  void turn.run(begun).then(async () => {
    const { conversationId, phase, problem } = turn.getState();
    if (conversationId === undefined) return;
    // A connection that broke may be a page that is being left: its next visit goes on.
    if (problem?.status !== 0) deleteUnfinishedTurn(conversationId);
    if (await isInRecord(queries, workspaceId, conversationId)) {
      // What failed stays as it was shown, with its reason and its retry.
      if (phase !== 'failed') turn.markRecorded();
    }
    await refreshConversations(queries, workspaceId, new Set([conversationId]));
  });
}

const TRIES = 20;
const BETWEEN_MS = 300;

/** Whether the record says how the last answer ended: a moment after it was stopped, it does not yet. */
async function isInRecord(queries: QueryClient, workspaceId: string, conversationId: string): Promise<boolean> {
  for (let left = TRIES; left > 0; left--) {
    const { queryKey, queryFn } = messagesQuery(workspaceId, conversationId);
    const messages = await queries.fetchQuery<Message[]>({ queryKey, queryFn, staleTime: 0 }).catch(() => []);
    const last = messages.at(-1);
    if (last?.role === 'assistant' && last.status !== 'streaming') return true;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
  }
  return false;
}
