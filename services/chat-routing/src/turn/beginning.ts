import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { toWire } from '@parley/kit/rpc/status';
import { type BeginTurn, type EndTurn, type TurnBegun, type TurnRecord } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { attachedTo } from '../domain/new-messages.ts';
import { repetitionOf } from '../domain/repetition.ts';
import { NO_USAGE } from '../domain/usage.ts';
import { type FileRow } from '../store/files.ts';
import { toAttachedFile } from './attachments.ts';
import { type TurnDeps } from './deps.ts';
import { recallTurn } from './recall-turn.ts';
import { giveRoomBack, takeRoom } from './room.ts';
import { openConversation, type Route } from './route.ts';

/** What a turn is called and what it adds to its conversation. */
export type Beginning = Omit<BeginTurn, 'runnerId'>;

const NO_FILES: readonly FileRow[] = [];

/** How often a waiting turn looks whether the one before it has ended. */
const LOOK_MS = 50;
/** How often at least a repeated request looks whether its first turn has ended, which may take minutes. */
const SELDOM_MS = 1_000;

/** The row of a turn as it begins; ids are made here, so that the record only inserts. */
export function beginningOf(request: TurnRequest, route: Route): Beginning {
  const { messages, files = NO_FILES, account, conversationId, model, sequence, project, binding } = route;
  const asked = files.length > 0 ? attachedTo(messages) : -1;
  return {
    turnId: uuidv7(),
    conversationId,
    newConversation: binding ? undefined : { title: '', upstreamAccountId: account.id, upstreamProjectId: project?.id ?? '', model },
    sequence,
    messages: messages.map(({ role, text, parts }, at) => {
      return { id: uuidv7(), role, text, parts, files: at === asked ? files.map(toAttachedFile) : [] };
    }),
    assistantMessageId: uuidv7(),
    model,
    idempotencyKey: request.idempotencyKey,
    requestDigest: request.requestDigest,
    upstreamAccountId: account.id,
    // A whole answer leaves with the end: a beginning that nobody can see yet may share its commit.
    relaxed: !binding && !request.idempotencyKey && !request.stream,
  };
}

/** The turn began, or an earlier one is the answer to its request. */
export interface Begun {
  earlier?: TurnRecord;
  upstreamState: string;
  /** The turn that brought the messages: this one, or the failed one that it repeats. */
  askedTurnId: string;
}

/**
 * Commits the beginning, one turn at a time per conversation: waits while another one runs.
 * A request that the last turn failed to answer begins without its messages, which the conversation has.
 * Undefined when a conversation that was to be reclaimed is somebody else's by now. Throws CONVERSATION_BUSY when waiting takes longer
 * than `busyMs`.
 */
export async function begin(
  deps: TurnDeps,
  request: TurnRequest,
  beginning: Beginning,
  route: Route,
  call: Call,
): Promise<Begun | undefined> {
  const { turnId, messages } = beginning;
  const giveUpAt = performance.now() + deps.limits.busyMs;
  let upstreamState = route.binding?.upstreamState ?? '';
  let busy = route.binding?.busy ?? false;
  let last = route.binding?.lastTurn;
  let askedTurnId = turnId;
  let patience = LOOK_MS;
  for (;;) {
    if (!busy) {
      const repetition = repetitionOf(request, last);
      const earlier = last && repetition === 'replay' && (await recallTurn(deps, { $case: 'turnId', value: last.turnId }, call));
      if (earlier) return { earlier, upstreamState, askedTurnId };
      askedTurnId = last && repetition === 'repeat' ? last.askedTurnId : turnId;
      beginning.messages = askedTurnId === turnId ? messages : [];
    }
    // A turn with an idempotency key may be the running one itself, so it is the insert that tells.
    if (!busy || beginning.idempotencyKey) {
      const { outcome, earlier } = await commit(deps, beginning, route, call);
      if (outcome === 'begun') return { upstreamState, askedTurnId };
      if (outcome === 'duplicate' && earlier && earlier.status !== 'streaming') return { earlier, upstreamState, askedTurnId };
      if (outcome === 'duplicate' && call.timeLeft() < LOOK_MS) throw busyError();
      if (outcome === 'duplicate') {
        await sleep(patience, undefined, { signal: call.signal });
        patience = Math.min(patience * 1.5, SELDOM_MS);
        continue;
      }
    }
    if (route.reclaimed) return undefined;
    if (performance.now() > giveUpAt) throw busyError();
    await sleep(LOOK_MS, undefined, { signal: call.signal });
    const binding = await openConversation(deps, beginning.conversationId, call);
    busy = binding.busy;
    last = binding.lastTurn;
    upstreamState = binding.upstreamState;
    beginning.sequence = binding.lastSequence + 1;
  }
}

/** The turn that began has room on its account. One that has to wait for another leaves the room to those who need not. */
async function commit({ recorder }: TurnDeps, beginning: Beginning, route: Route, call: Call): Promise<TurnBegun> {
  const { caller } = call;
  await takeRoom(route, call);
  try {
    const begun = await recorder.begin(beginning, caller);
    if (begun.outcome !== 'begun') giveRoomBack(route);
    return begun;
  } catch (thrown) {
    giveRoomBack(route);
    const error = toGatewayError(thrown);
    recorder.giveUp(unansweredEnd(beginning, route, error), error, caller);
    throw error;
  }
}

/** The end of a turn that was never put to its upstream. */
function unansweredEnd({ turnId, conversationId, assistantMessageId, model }: Beginning, { account }: Route, error: GatewayError): EndTurn {
  const nothing = { text: '', finishReason: '', upstreamState: '', durationMs: 0, reasoning: '', artifacts: [], attempts: [], ...NO_USAGE };
  return {
    ...nothing,
    turnId,
    conversationId,
    assistantMessageId,
    model,
    connectionId: account.id,
    status: 'failed',
    error: toWire(error),
  };
}

/** Another turn has the conversation. */
export function busyError(): GatewayError {
  return new GatewayError('CONVERSATION_BUSY', 'another turn of this conversation is still running', { retryAfterMs: 1_000 });
}
