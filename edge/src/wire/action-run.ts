import { type Run, type RunEvent } from '@parley/protos/actions/v1/actions';
import { z } from 'zod';
import { failure, toFailure } from './failure.ts';
import { toTimestamp, toTimestampOrNull } from './time.ts';
import { toKnownValue } from './to-known-value.ts';

/** Statuses of a run in the API. */
export const RUN_STATUSES = ['accepted', 'running', 'succeeded', 'failed', 'cancelling', 'cancelled', 'needs_review'] as const;
const VERDICTS = ['passed', 'failed', 'needs_review'] as const;

const effect = z.object({
  step_id: z.string(),
  risk: z.enum(['write', 'irreversible']),
  outcome: z.enum(['applied', 'unknown']).meta({ description: '`unknown`: it may have happened, since the response was lost.' }),
  at: z.iso.datetime(),
});

/** A run of an action in responses. */
export const actionRun = z
  .object({
    id: z.uuid(),
    action: z.string().meta({ description: 'Slug of the action.' }),
    version: z.int(),
    status: z.enum(RUN_STATUSES),
    verdict: z.enum(VERDICTS).nullable().meta({ description: 'Null until it has ended; `needs_review` is not success.' }),
    output: z.record(z.string(), z.unknown()).nullable(),
    error: failure.nullable(),
    connection_id: z.uuid().nullable(),
    effects: z.array(effect).meta({ description: 'Changes that the run made in other systems. Cancelling does not undo them.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ActionRun' });

/** An event of a run, in responses and in its event stream. */
export const actionRunEvent = z
  .object({
    sequence: z.int().meta({ description: 'From 1 on, without gaps.' }),
    type: z.string().meta({ description: '`run.accepted`, `run.started`, `step.started`, `step.succeeded`, …, `run.ended` as the last.' }),
    step_id: z.string().nullable(),
    data: z.record(z.string(), z.unknown()),
    at: z.iso.datetime(),
  })
  .meta({ id: 'ActionRunEvent' });

/** Converts a run to its JSON form. */
export function toActionRun(from: Run): z.input<typeof actionRun> {
  const createdAt = from.createdAt ?? new Date(0);
  return {
    id: from.id,
    action: from.slug,
    version: from.version,
    status: toKnownValue(RUN_STATUSES, from.status, 'running'),
    verdict: from.verdict === '' ? null : toKnownValue(VERDICTS, from.verdict, 'needs_review'),
    output: from.output === '' ? null : toObject(from.output),
    error: from.error ? toFailure(from.error) : null,
    connection_id: from.connectionId || null,
    effects: from.effects.map(({ stepId, risk, outcome, at }) => ({
      step_id: stepId,
      risk: toKnownValue(['write', 'irreversible'], risk, 'irreversible'),
      outcome: toKnownValue(['applied', 'unknown'], outcome, 'unknown'),
      at: toTimestamp(at ?? createdAt),
    })),
    created_at: toTimestamp(createdAt),
    updated_at: toTimestamp(from.updatedAt ?? createdAt),
    started_at: toTimestampOrNull(from.startedAt),
    ended_at: toTimestampOrNull(from.endedAt),
  };
}

/** Converts an event of a run to its JSON form. */
export function toActionRunEvent(from: RunEvent): z.input<typeof actionRunEvent> {
  return {
    sequence: from.sequence,
    type: from.type,
    step_id: from.stepId || null,
    data: from.data === '' ? {} : toObject(from.data),
    at: toTimestamp(from.at ?? new Date(0)),
  };
}

function toObject(json: string): Record<string, unknown> {
  return JSON.parse(json) as Record<string, unknown>;
}
