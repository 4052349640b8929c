import { uuidv7 } from '@parley/kit/ids/uuid';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENTS } from '@parley/protos/subjects';
import { type OutboxEvent } from './outbox-event.ts';
import { type TurnEnd, type TurnOutcome } from './turn.ts';

const SUBJECTS: Record<TurnOutcome, string> = {
  completed: EVENTS.turnCompleted,
  failed: EVENTS.turnFailed,
  interrupted: EVENTS.turnInterrupted,
};

/** Builds the event of the end of a turn. `endedAt` is the database's time. */
export function toTurnEvent(end: TurnEnd, endedAt: Date): OutboxEvent {
  const id = uuidv7();
  const { turnId, conversationId, workspaceId, keyId, connectionId, model, status, tokensIn, tokensOut, durationMs } = end;
  const value = {
    ...{ turnId, conversationId, workspaceId, keyId, connectionId, model, status, tokensIn, tokensOut, durationMs, endedAt },
    messageId: end.assistantMessageId,
    errorCondition: end.error?.condition ?? '',
    artifacts: [...end.artifacts],
  };
  return {
    id,
    subject: SUBJECTS[status],
    payload: EventBatch.encode({ events: [{ id, payload: { $case: 'turnEnded', value } }] }).finish(),
  };
}
