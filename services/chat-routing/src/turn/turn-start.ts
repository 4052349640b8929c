import { uuidv7 } from '@parley/kit/ids/uuid';
import { type TurnBegun, type TurnRecord } from '@parley/protos/conversation/v1/conversation';
import { toGatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { setTimeout as sleep } from 'node:timers/promises';
import { findEarlierTurn } from '../conversation/find-earlier-turn.ts';
import { conversationBusyError, readConversationBinding } from '../conversation/read-conversation-binding.ts';
import { findAttachmentMessageIndex } from '../domain/messages-after-last-answer.ts';
import { toRepetition } from '../domain/repetition.ts';
import { type FileRow } from '../store/files.ts';
import { toAttachedFile } from './attachments.ts';
import { type Route } from './route.ts';
import { acquireSlot, releaseSlot } from './slot.ts';
import { type TurnContext, type TurnStart } from './turn-context.ts';
import { type TurnDeps } from './turn-deps.ts';
import { toUnsentTurnEnd } from './turn-end.ts';

const NO_FILES: readonly FileRow[] = [];

/** Interval at which a waiting turn checks whether the previous one has ended. */
const POLL_MS = 50;
/** Longest interval at which a repeated request checks whether its first turn has ended, which may take minutes. */
const MAX_POLL_MS = 1_000;

/** Builds the start of a turn. All ids are generated here, so that the conversation service only inserts. */
export function toTurnStart(request: TurnRequest, route: Route): TurnStart {
  const { messages, files = NO_FILES, connection, conversationId, model, sequence, project, binding } = route;
  const attachedTo = files.length > 0 ? findAttachmentMessageIndex(messages) : -1;
  return {
    turnId: uuidv7(),
    conversationId,
    newConversation: binding ? undefined : { title: '', upstreamAccountId: connection.id, upstreamProjectId: project?.id ?? '', model },
    sequence,
    messages: messages.map(({ role, text, parts }, at) => {
      return { id: uuidv7(), role, text, parts, files: at === attachedTo ? files.map(toAttachedFile) : [] };
    }),
    assistantMessageId: uuidv7(),
    model,
    idempotencyKey: request.idempotencyKey,
    requestDigest: request.requestDigest,
    upstreamAccountId: connection.id,
  };
}

/**
 * Result of committing a start. `begun`: it is committed; `askedTurnId` is the turn that added the messages: this one, or the failed one
 * that it repeats. `earlier`: an earlier turn answers the request. `outrun`: the conversation to be reclaimed has a newer turn.
 */
export type StartResult =
  | { outcome: 'begun'; upstreamState: string; askedTurnId: string }
  | { outcome: 'earlier'; turn: TurnRecord }
  | { outcome: 'outrun' };

/**
 * Commits the start of a turn. Each conversation runs one turn at a time, so this waits while another one runs; throws CONVERSATION_BUSY
 * when that takes longer than `busyMs`. A request that repeats the failed last turn starts without its messages, which the conversation
 * already has (ADR 0013).
 */
export async function commitStart(deps: TurnDeps, context: TurnContext): Promise<StartResult> {
  const { request, start, route, call } = context;
  const { turnId, messages } = start;
  const giveUpAt = performance.now() + deps.limits.busyMs;
  let upstreamState = route.binding?.upstreamState ?? '';
  let busy = route.binding?.busy ?? false;
  let last = route.binding?.lastTurn;
  let askedTurnId = turnId;
  let pollMs = POLL_MS;
  for (;;) {
    if (!busy) {
      const repetition = toRepetition(request, last);
      const turn = last && repetition === 'replay' && (await findEarlierTurn(deps, { $case: 'turnId', value: last.turnId }, call));
      if (turn) return { outcome: 'earlier', turn };
      askedTurnId = last && repetition === 'repeat' ? last.askedTurnId : turnId;
      start.messages = askedTurnId === turnId ? messages : [];
    }
    // With an idempotency key, the running turn may be an earlier attempt of this request; only the insert detects that.
    if (!busy || start.idempotencyKey) {
      const { outcome, earlier } = await commit(deps, context);
      if (outcome === 'begun') return { outcome, upstreamState, askedTurnId };
      if (outcome === 'duplicate' && earlier && earlier.status !== 'streaming') return { outcome: 'earlier', turn: earlier };
      if (outcome === 'duplicate' && call.timeLeft() < POLL_MS) throw conversationBusyError();
      if (outcome === 'duplicate') {
        await sleep(pollMs, undefined, { signal: call.signal });
        pollMs = Math.min(pollMs * 1.5, MAX_POLL_MS);
        continue;
      }
    }
    if (route.reclaimed) return { outcome: 'outrun' };
    if (performance.now() > giveUpAt) throw conversationBusyError();
    await sleep(POLL_MS, undefined, { signal: call.signal });
    const binding = await readConversationBinding(deps, start.conversationId, call);
    busy = binding.busy;
    last = binding.lastTurn;
    upstreamState = binding.upstreamState;
    start.sequence = binding.lastSequence + 1;
  }
}

/** Acquires a slot and commits the start. Releases the slot unless the turn has begun: a waiting turn leaves it to others. */
async function commit({ recorder }: TurnDeps, context: TurnContext): Promise<TurnBegun> {
  const { start, route, call, onBehalf } = context;
  await acquireSlot(route, call);
  try {
    const begun = await recorder.begin(start, onBehalf);
    if (begun.outcome !== 'begun') releaseSlot(route);
    return begun;
  } catch (thrown) {
    releaseSlot(route);
    const error = toGatewayError(thrown);
    recorder.queueUncertainEnd(toUnsentTurnEnd(context, error), error, onBehalf);
    throw error;
  }
}
