import { uuidv7 } from '@parley/kit/ids/uuid';
import { type GatewayError } from '@parley/protos/errors';
import { type ActionRunChanged, EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { type JsonObject } from './json.ts';
import { type StoredRun, hasEnded } from './run.ts';

/** Types of events of a run and its steps. */
export type RunEventType =
  | 'run.accepted'
  | 'run.started'
  | 'step.started'
  | 'step.succeeded'
  | 'step.failed'
  | 'step.retrying'
  | 'step.skipped'
  | 'run.cancelling'
  | 'run.ended';

/** An event before it is stored. */
export interface NewRunEvent {
  type: RunEventType;
  /** Empty for events of the whole run. */
  stepId: string;
  /** Details by event type; without secrets. */
  data: JsonObject;
}

/** An event as it is stored. */
export interface StoredRunEvent extends Omit<NewRunEvent, 'data'> {
  sequence: number;
  /** Details as the text of a JSON object. */
  data: string;
  at: Date;
}

/** Creates an event of the whole run. */
export function createRunEvent(type: RunEventType, data: JsonObject = {}): NewRunEvent {
  return { type, stepId: '', data };
}

/** Converts an error to the form of the API. */
export function toErrorData({ code, message }: GatewayError): JsonObject {
  return { code, message };
}

/** Returns the notice of a changed run, without input or output. */
export function toRunChanged(run: StoredRun): ActionRunChanged {
  const { workspaceId, keyId, slug, version, status, startedAt, endedAt, sequence } = run;
  return {
    ...{ runId: run.id, workspaceId, keyId, slug, version, status, sequence },
    errorCondition: run.errorCondition ?? '',
    durationMs: startedAt && endedAt ? Math.max(0, endedAt.getTime() - startedAt.getTime()) : 0,
    at: run.updatedAt,
  };
}

/** An event as stored in the outbox. `payload` is an encoded `EventBatch`; concatenated batches are one batch. */
export interface OutboxEvent {
  id: string;
  subject: string;
  payload: Uint8Array;
}

/** Creates the outbox event of a run that was accepted or has ended. */
export function toOutboxEvent(run: StoredRun): OutboxEvent {
  const id = uuidv7();
  const payload = { $case: 'actionRunChanged' as const, value: toRunChanged(run) };
  const events = [{ id, payload, traceparent: run.traceparent || undefined }];
  const subject = hasEnded(run.status) ? EVENT_SUBJECTS.actionRunEnded : EVENT_SUBJECTS.actionRunAccepted;
  return { id, subject, payload: EventBatch.encode({ events }).finish() };
}
