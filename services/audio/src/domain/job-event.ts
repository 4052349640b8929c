import { uuidv7 } from '@parley/kit/ids/uuid';
import { EventBatch, type SpeechJobChanged } from '@parley/protos/events/v1/events';
import { EVENTS } from '@parley/protos/subjects';
import { type JobStatus, type StoredJob } from './job.ts';

/** An event as it waits in the outbox; `payload` is an encoded `EventBatch`; batches that follow each other are one batch. */
export interface OutboxEvent {
  id: string;
  subject: string;
  payload: Uint8Array;
}

/** Start and progress of a worker are notices only. */
const SUBJECTS: Partial<Record<JobStatus, string>> = {
  queued: EVENTS.speechJobQueued,
  completed: EVENTS.speechJobCompleted,
  failed: EVENTS.speechJobFailed,
  cancelled: EVENTS.speechJobCancelled,
};

/** The event of a change: the job after it, without its text. */
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

/** The event of a change; undefined for a change without one. */
export function jobChangedEvent(job: StoredJob): OutboxEvent[] {
  const subject = SUBJECTS[job.status];
  if (subject === undefined) return [];
  const id = uuidv7();
  const payload = { $case: 'speechJobChanged' as const, value: toJobChanged(job) };
  const events = [{ id, payload, traceparent: job.traceparent || undefined }];
  return [{ id, subject, payload: EventBatch.encode({ events }).finish() }];
}
