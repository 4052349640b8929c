import type { Condition } from '@parley/protos/errors';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENTS } from '@parley/protos/subjects';
import type { OutboxEvent } from './job-event.ts';

/** What is known of speech that was asked for at once, when it has ended: for usage, and nothing of what was said. */
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
}

/** The event that tells of it. */
export function speechEnded(ended: EndedSpeech): OutboxEvent {
  const { id, workspaceId, keyId, provider, model, inputCharacters, workMs, status, errorCondition, endedAt } = ended;
  const value = {
    ...{ speechId: id, workspaceId, keyId, provider, model, status, inputCharacters },
    ...{ errorCondition: errorCondition ?? '', durationMs: workMs, at: endedAt },
  };
  const events = [{ id, payload: { $case: 'speechEnded' as const, value } }];
  const subject = status === 'completed' ? EVENTS.speechCompleted : EVENTS.speechFailed;
  return { id, subject, payload: EventBatch.encode({ events }).finish() };
}
