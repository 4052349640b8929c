import { type Call } from '@parley/kit/rpc/call';
import { type EndTurn, type TurnClosed } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { equalsStoredText } from '../domain/storable-text.ts';
import { toClosingTurn } from '../domain/turn-ended-event.ts';
import { toTurnEnd } from '../domain/turn-request.ts';
import { runInRecordSpan } from './record-span.ts';
import { requireOwnTurn } from './require-own-turn.ts';

/** Maximum attempts to end a turn that is still open after a conflict. */
const ATTEMPTS = 3;

/**
 * Commits the end of a turn. `closed` is true when the recorded status and text equal the given ones, so a caller without an answer may
 * repeat the call, and learns when the reaper has closed the turn.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, VALIDATION_ERROR, SERVICE_UNAVAILABLE.
 */
export async function endTurn({ store }: Deps, question: EndTurn, { caller, parent }: Call): Promise<TurnClosed> {
  const end = toTurnEnd(question, caller);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await runInRecordSpan('record.end', parent, end, (span) => store.turns.end(toClosingTurn(end, store.clock.now(), span)))) {
      return { closed: true };
    }
    const recorded = await requireOwnTurn(store, end);
    if (recorded.status !== null) return { closed: recorded.status === end.status && equalsStoredText(end.text, recorded.text) };
    // Its start was committed in between, by another replica.
  }
  throw new GatewayError('SERVICE_UNAVAILABLE', 'the turn could not be ended');
}
