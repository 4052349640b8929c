import { type Call } from '@parley/kit/rpc/call';
import { callMultiplexed } from '@parley/kit/rpc/multiplexed-call';
import { type HistoryMessage, type ListHistoryRequest } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
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
  return readHistory(deps, { conversationId: beginning.conversationId, beforeTurnId }, call);
}

/** Reads the messages of a conversation that say something. Throws SERVICE_UNAVAILABLE when the record cannot be asked. */
export async function readHistory(deps: TurnDeps, question: ListHistoryRequest, { caller }: Call): Promise<readonly HistoryMessage[]> {
  const asked = callMultiplexed(
    deps.conversation.record,
    { question: { $case: 'history', value: question } },
    { caller, deadlineMs: HISTORY_MS },
  );
  const { answer } = await asked.catch((error: unknown) => {
    throw recordError(error);
  });
  if (answer?.$case !== 'history') throw new GatewayError('INTERNAL_ERROR', 'the record answered something else');
  return answer.value.messages.filter(({ text, parts }) => text !== '' || parts.length > 0);
}
