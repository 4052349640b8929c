import { type Condition } from '@parley/protos/errors';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENTS } from '@parley/protos/subjects';
import { type OutboxEvent } from './job-event.ts';

/** Metrics of a synchronous speech request, for usage; holds no text. */
export interface EndedSpeech {
  id: string;
  workspaceId: string;
  keyId: string;
  /** Empty when it ended before one was chosen. */
  provider: string;
  model: string;
  inputCharacters: number;
  /** Of the work, in milliseconds. */
  workMs: number;
  status: 'completed' | 'failed';
  errorCondition: Condition | null;
  createdAt: Date;
  endedAt: Date;
  /** Of the request; empty unless its trace is sampled. */
  traceparent: string;
}

/** Its event. */
export function speechEnded(ended: EndedSpeech): OutboxEvent {
  const { id, workspaceId, keyId, provider, model, inputCharacters, workMs, status, errorCondition, endedAt } = ended;
  const value = {
    ...{ speechId: id, workspaceId, keyId, provider, model, status, inputCharacters },
    ...{ errorCondition: errorCondition ?? '', durationMs: workMs, at: endedAt },
  };
  const traceparent = ended.traceparent || undefined;
  const events = [{ id, payload: { $case: 'speechEnded' as const, value }, traceparent }];
  const subject = status === 'completed' ? EVENTS.speechCompleted : EVENTS.speechFailed;
  return { id, subject, payload: EventBatch.encode({ events }).finish() };
}
