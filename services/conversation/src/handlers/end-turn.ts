import { type Call } from '@parley/kit/rpc/call';
import { type EndTurn, type TurnClosed } from '@parley/protos/conversation/v1/conversation';
import { equalsStored } from '../domain/text.ts';
import { toClosingTurn } from '../domain/turn-event.ts';
import { toTurnEnd } from '../domain/turn-request.ts';
import { type Deps } from '../deps.ts';
import { inRecordSpan } from './record-span.ts';
import { requireOwnTurn } from './require-own-turn.ts';

/**
 * Commits the end of a turn. `closed` is true when the recorded status and text equal the given ones, so a caller without an answer may
 * repeat the call, and learns when the reaper has closed the turn.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, VALIDATION_ERROR.
 */
export async function endTurn({ store }: Deps, question: EndTurn, { caller, traceparent }: Call): Promise<TurnClosed> {
  const end = toTurnEnd(question, caller);
  if (await inRecordSpan('record.end', traceparent, end, (span) => store.turns.end(toClosingTurn(end, store.clock.now(), span)))) {
    return { closed: true };
  }
  const recorded = await requireOwnTurn(store, end);
  return { closed: recorded.status === end.status && equalsStored(end.text, recorded.text) };
}
