import { type ErrorCondition } from '@parley/protos/errors';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { type OutboxEvent } from './job-event.ts';

/** Metrics of a finished transcription, for usage; without its text. */
export interface EndedTranscription {
  id: string;
  workspaceId: string;
  keyId: string;
  /** Empty when it ended before a provider was chosen; so are `model`, `mimeType` and `language`. */
  provider: string;
  model: string;
  mimeType: string;
  language: string;
  sizeBytes: number;
  /** Duration of the audio in milliseconds. */
  durationMs: number;
  /** Duration of the work in milliseconds. */
  workMs: number;
  status: 'completed' | 'failed';
  errorCondition: ErrorCondition | null;
  conversationId: string | null;
  createdAt: Date;
  endedAt: Date;
  /** `traceparent` of the request; empty unless its trace is sampled. */
  traceparent: string;
}

/** Creates the outbox event of a finished transcription. */
export function toTranscriptionEndedEvent(ended: EndedTranscription): OutboxEvent {
  const { id, durationMs, workMs, errorCondition, endedAt, workspaceId, keyId, provider, model, mimeType, language, sizeBytes, status } =
    ended;
  const value = {
    ...{ transcriptionId: id, workspaceId, keyId, provider, model, mimeType, language, sizeBytes, status },
    ...{ errorCondition: errorCondition ?? '', audioMs: durationMs, durationMs: workMs, at: endedAt },
  };
  const traceparent = ended.traceparent || undefined;
  const events = [{ id, payload: { $case: 'transcriptionEnded' as const, value }, traceparent }];
  const subject = status === 'completed' ? EVENT_SUBJECTS.transcriptionCompleted : EVENT_SUBJECTS.transcriptionFailed;
  return { id, subject, payload: EventBatch.encode({ events }).finish() };
}
