import { type Call } from '@parley/kit/rpc/call';
import { type BeginTurn, type TurnBegun } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { toNewTurn, deriveTurnTitle } from '../domain/turn-request.ts';
import { type NewTurn } from '../domain/turn.ts';
import { closeTurnIfAbandoned } from '../reaper/close-abandoned-turns.ts';
import { setDefaultTitle } from '../store/conversations.ts';
import { type Store } from '../store/store.ts';
import { type StoredTurn, findTurn, findTurnByIdempotencyKey } from '../store/turn-records.ts';
import { runInRecordSpan } from './record-span.ts';
import { requireWritableConversation } from './require-writable-conversation.ts';
import { toTurnRecord } from './turn-record-view.ts';

const BEGUN: TurnBegun = { outcome: 'begun' };
const BUSY: TurnBegun = { outcome: 'busy' };

/**
 * Commits a turn and its request messages. Idempotent by turn id, so that a caller without an answer may repeat the call.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, VALIDATION_ERROR.
 */
export async function beginTurn({ store }: Deps, question: BeginTurn, call: Call): Promise<TurnBegun> {
  const turn = toNewTurn(question, call.caller, store.clock.now());
  if (await runInRecordSpan('record.begin', call.parent, turn, () => begin(store, turn))) return BEGUN;
  const known = await findKnownTurn(store, turn);
  if (known) return known;
  if (!(await isPreviousTurnEnded(store, turn, call))) return BUSY;
  if (await begin(store, turn)) return BEGUN;
  return (await findKnownTurn(store, turn)) ?? BUSY;
}

/**
 * Commits a turn; false when it may not begin or already exists. The first turn of an existing conversation also sets its missing title.
 */
async function begin({ turns, database }: Store, turn: NewTurn): Promise<boolean> {
  const isBegun = await turns.begin(turn);
  const title = isBegun && turn.sequence === 1 && !turn.newConversation ? deriveTurnTitle(turn.messages) : '';
  if (title !== '') await setDefaultTitle(database.turnPool, turn.conversationId, title);
  return isBegun;
}

/** Returns the answer for a turn that was begun before with this id or this idempotency key. */
async function findKnownTurn({ database, ...store }: Store, turn: NewTurn): Promise<TurnBegun | undefined> {
  const { turnId, conversationId, keyId, idempotencyKey } = turn;
  const same = await findTurn(database.turnPool, turnId);
  if (same?.conversationId === conversationId && same.keyId === keyId) return BEGUN;
  if (same) throw new GatewayError('VALIDATION_ERROR', 'turn_id belongs to another turn', { param: 'turn_id' });
  if (idempotencyKey === null) return undefined;
  const find = () => findTurnByIdempotencyKey(database.turnPool, keyId, idempotencyKey);
  let earlier = await find();
  if (!earlier) return undefined;
  if (!isSameRequest(turn, earlier)) {
    throw new GatewayError('VALIDATION_ERROR', 'the idempotency key was used with another request', { param: 'Idempotency-Key' });
  }
  // The answer must not contain text of a deleted conversation.
  if (earlier.isDeleted) throw new GatewayError('CONVERSATION_NOT_FOUND', 'the conversation of the first turn was deleted');
  if (earlier.status === null && (await closeTurnIfAbandoned({ database, ...store }, earlier.turnId))) earlier = (await find()) ?? earlier;
  return { outcome: 'duplicate', earlier: toTurnRecord(earlier) };
}

/** The digest does not cover the conversation: it must be new in both cases, or the same. */
function isSameRequest({ requestDigest, newConversation, conversationId }: NewTurn, earlier: StoredTurn): boolean {
  const isSameConversation = newConversation ? earlier.opened : earlier.conversationId === conversationId;
  return isSameConversation && earlier.requestDigest !== null && requestDigest !== null && earlier.requestDigest.equals(requestDigest);
}

/** True when the previous turn has ended, or was abandoned and is closed here. */
async function isPreviousTurnEnded(store: Store, turn: NewTurn, { caller }: Call): Promise<boolean> {
  const found = await store.turns.findBinding(turn.conversationId);
  if (!found && turn.newConversation) return true;
  const binding = await requireWritableConversation(store.database, turn.conversationId, found, caller);
  if (binding.lastSequence !== turn.sequence - 1) return false;
  return !binding.busy || (binding.lastTurnId !== null && binding.abandoned && closeTurnIfAbandoned(store, binding.lastTurnId));
}
