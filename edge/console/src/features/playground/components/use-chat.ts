import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { type Message, messagesQuery } from '../../../live/conversations.ts';
import { type Attachment, type RunningTurn, type TurnState } from '../turn/running-turn.ts';
import { runningTurns, type TurnSlot, toTurnSlot, startTurn } from '../turn/turns.ts';
import { type UnfinishedTurn, findUnfinishedTurn } from '../turn/unfinished-turn.ts';

/** What is said with the next turn. */
interface Saying {
  text: string;
  attachments: readonly Attachment[];
  model: string;
  /** Of a conversation that is begun. */
  routing: Readonly<Record<string, string>>;
}

interface Chat {
  /** What the record has, without what is shown of the running turn. */
  messages: readonly Message[];
  isPending: boolean;
  error: Error | null;
  refetch: () => void;
  turn: RunningTurn | undefined;
  state: TurnState | undefined;
  isAnswering: boolean;
  say: (saying: Saying) => void;
  /** Asks the last question again, after its answer broke off. */
  retry: (model: string) => void;
  stop: () => void;
}

const NONE: readonly Message[] = [];

/** The chat of a conversation, or of the one that the next message begins. */
export function useChat(workspaceId: string, conversationId: string | undefined): Chat {
  const queries = useQueryClient();
  const router = useRouter();
  const slot = toTurnSlot(workspaceId, conversationId);
  const current = useTurn(slot);
  const { turn, state } = current ?? {};
  const isShown = turn !== undefined && state?.isRecorded === false;
  const record = useQuery({
    ...messagesQuery(workspaceId, conversationId ?? ''),
    enabled: conversationId !== undefined,
    // The page has the text of its own answer before the record has it.
    ...(isShown && { refetchInterval: false as const }),
  });
  const all = record.data ?? NONE;
  const onConversation = (id: string) => {
    const { pathname, search } = router.state.location;
    // The address follows, unless the person has gone elsewhere meanwhile.
    if (!pathname.endsWith(`/${workspaceId}/playground`) || search.conversation !== undefined) return;
    void router.navigate({
      to: '/w/$workspaceId/playground',
      params: { workspaceId },
      search: (before) => ({ ...before, conversation: id }),
      replace: true,
    });
  };
  const start = (request: Parameters<typeof startTurn>[1], before: readonly Message[], isQuestionRecorded: boolean) =>
    startTurn(slot, request, { queries, before, isQuestionRecorded, onConversation });
  const bound: Readonly<Record<string, string>> = conversationId === undefined ? {} : { 'X-Service-Conversation-Id': conversationId };

  const resume = (unfinished: UnfinishedTurn | undefined, model: string) => {
    const asked = all.findLastIndex(({ role }) => role === 'user');
    const question = all[asked];
    if (!question) return;
    const again = unfinished ?? { idempotencyKey: crypto.randomUUID(), model, headers: bound, attachments: [] };
    start({ workspaceId, text: question.content, ...again }, all.slice(0, asked + 1), true);
  };
  const unfinished = conversationId !== undefined && !turn ? findUnfinishedTurn(conversationId) : undefined;
  const isThere = unfinished !== undefined && record.isSuccess;
  useEffect(() => {
    // The answer goes on without its page: the same request under the same key gets all of it.
    if (isThere) resume(unfinished, unfinished.model);
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the record is there
  }, [isThere, slot]);

  return {
    messages: isShown ? all.filter(({ id }) => turn.knownMessageIds.has(id)) : all,
    isPending: conversationId !== undefined && record.isPending && !isShown,
    error: record.error,
    refetch: () => void record.refetch(),
    turn: isShown ? turn : undefined,
    state,
    isAnswering: state?.phase === 'waiting' || state?.phase === 'answering',
    say: ({ text, attachments, model, routing }) => {
      const headers = conversationId === undefined ? routing : bound;
      start({ workspaceId, text, attachments, model, headers, idempotencyKey: crypto.randomUUID() }, all, false);
    },
    retry: (model) => {
      if (!turn) return resume(undefined, model);
      // What the record has of the turn by now counts as its part.
      const before = isShown
        ? all.filter(({ id }) => turn.knownMessageIds.has(id))
        : all.slice(0, all.findLastIndex(({ role }) => role === 'user') + 1);
      start(turn.request, before, !isShown || turn.isQuestionRecorded);
    },
    stop: () => turn?.stop(),
  };
}

const nothing = () => undefined;
const never = () => nothing;

/** The turn of a conversation that runs or was the last one here, and what is known of it now. */
function useTurn(slot: TurnSlot): { turn: RunningTurn; state: TurnState } | undefined {
  const turn = useSyncExternalStore(runningTurns.subscribe, () => runningTurns.of(slot));
  const state = useSyncExternalStore<TurnState | undefined>(turn?.subscribe ?? never, turn?.getState ?? nothing);
  return turn && state && { turn, state };
}
