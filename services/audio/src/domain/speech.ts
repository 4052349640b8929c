import { type ErrorCondition } from '@parley/protos/errors';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { type OutboxEvent } from './job-event.ts';

/** Metrics of a finished synchronous speech request, for usage; without its text. */
export interface EndedSpeech {
  id: string;
  workspaceId: string;
  keyId: string;
  /** Empty when the request ended before a provider was chosen. */
  provider: string;
  model: string;
  inputCharacters: number;
  /** Duration of the work in milliseconds. */
  workMs: number;
  status: 'completed' | 'failed';
  errorCondition: ErrorCondition | null;
  createdAt: Date;
  endedAt: Date;
  /** `traceparent` of the request; empty unless its trace is sampled. */
  traceparent: string;
}

/** Creates the outbox event of finished speech. */
export function toSpeechEndedEvent(ended: EndedSpeech): OutboxEvent {
  const { id, workspaceId, keyId, provider, model, inputCharacters, workMs, status, errorCondition, endedAt } = ended;
  const value = {
    ...{ speechId: id, workspaceId, keyId, provider, model, status, inputCharacters },
    ...{ errorCondition: errorCondition ?? '', durationMs: workMs, at: endedAt },
  };
  const traceparent = ended.traceparent || undefined;
  const events = [{ id, payload: { $case: 'speechEnded' as const, value }, traceparent }];
  const subject = status === 'completed' ? EVENT_SUBJECTS.speechCompleted : EVENT_SUBJECTS.speechFailed;
  return { id, subject, payload: EventBatch.encode({ events }).finish() };
}
