import { type HistoryMessage } from '@parley/protos/conversation/v1/conversation';
import { type TurnDeps } from './deps.ts';
import { type TurnParts } from './parts.ts';
import { recordError } from './record-error.ts';

const HISTORY_MS = 3_000;

/** The messages before the turn `beforeTurnId` that say something; none, at once, for a new conversation. */
export function historyOf(
  deps: TurnDeps,
  { route, beginning, call }: TurnParts,
  beforeTurnId: string,
): readonly HistoryMessage[] | Promise<readonly HistoryMessage[]> {
  if (!route.binding) return [];
  const { conversationId } = beginning;
  return deps.conversation.listHistory({ conversationId, beforeTurnId }, { caller: call.caller, deadlineMs: HISTORY_MS }).then(
    ({ messages }) => messages.filter(({ text, parts }) => text !== '' || parts.length > 0),
    (error: unknown) => {
      throw recordError(error);
    },
  );
}
