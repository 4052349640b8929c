import { uuidv7 } from '@parley/kit/ids/uuid';
import { EventBatch, type SpeechJobChanged } from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { type JobStatus, type StoredJob } from './job.ts';

/** An event as stored in the outbox. `payload` is an encoded `EventBatch`; concatenated batches are one batch. */
export interface OutboxEvent {
  id: string;
  subject: string;
  payload: Uint8Array;
}

/** Subjects of durable events by status; start and progress of the work are notices only. */
const SUBJECTS: Partial<Record<JobStatus, string>> = {
  queued: EVENT_SUBJECTS.speechJobQueued,
  completed: EVENT_SUBJECTS.speechJobCompleted,
  failed: EVENT_SUBJECTS.speechJobFailed,
  cancelled: EVENT_SUBJECTS.speechJobCancelled,
};

/** Returns the notice of a changed job, without its text. */
export function toJobChanged(job: StoredJob): SpeechJobChanged {
  const { workspaceId, keyId, provider, voice, status, inputCharacters, model, progress } = job;
  return {
    ...{ jobId: job.id, workspaceId, keyId, provider, voice, status, inputCharacters, model, progress },
    errorCondition: job.errorCondition ?? '',
    durationMs: job.workMs,
    audioMs: job.status === 'completed' ? job.durationMs : 0,
    at: job.updatedAt,
  };
}

/** Returns the durable event of a changed job; an empty list for a status without one. */
export function toOutboxEvents(job: StoredJob): OutboxEvent[] {
  const subject = SUBJECTS[job.status];
  if (subject === undefined) return [];
  const id = uuidv7();
  const payload = { $case: 'speechJobChanged' as const, value: toJobChanged(job) };
  const events = [{ id, payload, traceparent: job.traceparent || undefined }];
  return [{ id, subject, payload: EventBatch.encode({ events }).finish() }];
}
