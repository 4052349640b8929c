import { uuidv7 } from '@parley/kit/ids/uuid';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { type OutboxEvent } from './outbox-event.ts';
import { type TurnEnd, type TurnOutcome } from './turn.ts';

const SUBJECTS: Record<TurnOutcome, string> = {
  completed: EVENT_SUBJECTS.turnCompleted,
  failed: EVENT_SUBJECTS.turnFailed,
  interrupted: EVENT_SUBJECTS.turnInterrupted,
};

/**
 * Builds the outbox event of the end of a turn: bus subject and encoded EventBatch. `endedAt` is the database's time; `traceparent` is that
 * of the commit when its trace is sampled, else empty.
 */
export function toTurnEndedEvent(end: TurnEnd, endedAt: Date, traceparent = ''): OutboxEvent {
  const id = uuidv7();
  const { turnId, conversationId, workspaceId, keyId, connectionId, model, status, tokensIn, tokensOut, durationMs } = end;
  const value = {
    turnId,
    conversationId,
    workspaceId,
    keyId,
    connectionId,
    model,
    status,
    tokensIn,
    tokensOut,
    durationMs,
    endedAt,
    messageId: end.assistantMessageId,
    errorCondition: end.error?.condition ?? '',
    artifacts: [...end.artifacts],
    firstTokenMs: end.times.firstTokenMs ?? undefined,
  };
  return {
    id,
    subject: SUBJECTS[status],
    payload: EventBatch.encode({
      events: [{ id, payload: { $case: 'turnEnded', value }, traceparent: traceparent || undefined }],
    }).finish(),
  };
}

/** A turn to end, with its event. */
export interface ClosingTurn {
  end: TurnEnd;
  event: OutboxEvent;
  /** The time in its event, so that sums of turns and sums of events agree to the minute. */
  endedAt: Date;
}

/** Combines the end of a turn with its event; the parameters are those of `toTurnEndedEvent`. */
export function toClosingTurn(end: TurnEnd, endedAt: Date, traceparent = ''): ClosingTurn {
  return { end, endedAt, event: toTurnEndedEvent(end, endedAt, traceparent) };
}
