import { type TurnAttempt, type TurnStory } from '@parley/protos/conversation/v1/conversation';
import { z } from 'zod';
import { toTimestamp, toTimestampOrNull } from './time.ts';
import { toKnownValue } from './to-known-value.ts';
import { type ConnectionNames, timelineEvent, toErrorCode, toRouteExplanation, toTurnTimeline } from './turn-timeline.ts';

/** Statuses of a turn in the API. */
export const TURN_STATUSES = ['streaming', 'completed', 'failed', 'interrupted'] as const;

const connection = z
  .object({ id: z.string(), label: z.string().nullable(), provider: z.string().nullable() })
  .meta({ id: 'TurnConnection', description: 'Label and provider are null for a connection that was deleted.' });

const attempt = z
  .object({
    connection,
    outcome: z.string().meta({ description: '`ok`, `interrupted`, or the code of the error.' }),
    upstream_status: z.int().nullable().meta({ description: 'HTTP status; null without an answer, or where it is not recorded.' }),
    upstream_message: z.string().nullable().meta({ description: 'What the upstream said of a failure, shortened and without secrets.' }),
    duration_ms: z.int(),
  })
  .meta({ id: 'TurnAttempt' });

const time = z.int().nullable();
const turnTimes = z
  .object({ routed_ms: time, committed_ms: time, asked_ms: time, accepted_ms: time, first_token_ms: time, answered_ms: time })
  .meta({ id: 'TurnTimes', description: 'Since the head of the request arrived at the edge; null: it did not come to that.' });

/** The recorded history of a turn, without content. */
export const turnStory = z
  .object({
    turn_id: z.uuid(),
    request_id: z.string(),
    conversation_id: z.uuid(),
    workspace_id: z.uuid(),
    key_id: z.uuid(),
    sequence: z.int().meta({ description: 'Place of the turn in its conversation, from 1.' }),
    model: z.string(),
    connection: connection.meta({ description: 'The one that answered, or was last asked.' }),
    status: z.enum(TURN_STATUSES),
    finish_reason: z.string().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    tokens_in: z.int(),
    tokens_out: z.int(),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    duration_ms: z.int().nullable().meta({ description: 'Null while the turn is streaming.' }),
    route_reason: z.string().nullable(),
    route_explanation: z.string().nullable().meta({ description: 'Why the turn went to its first connection, in words.' }),
    attempts: z.array(attempt),
    times: turnTimes,
    timeline: z.array(timelineEvent),
  })
  .meta({ id: 'TurnStory' });

/** The turns of one request id. */
export const requestStory = z.object({ turns: z.array(turnStory) }).meta({
  id: 'RequestStory',
  description: 'Oldest first; several where a client sent several requests with one id (at most the newest 100).',
});

/** A page of turns with the cursor of the next page. */
export const turnPage = z
  .object({
    turns: z.array(turnStory),
    next_cursor: z.string().nullable().meta({ description: 'For the next page; null for the last one.' }),
  })
  .meta({ id: 'TurnPage', description: 'Newest first. A page reads a bounded number of turns: it may have fewer than `limit`, or none.' });

/** Converts a turn to its JSON form; `now` is the current time in milliseconds. */
export function toTurnStory(turn: TurnStory, names: ConnectionNames, now: number): z.input<typeof turnStory> {
  const { error, routeReason } = turn;
  return {
    turn_id: turn.turnId,
    request_id: turn.requestId,
    conversation_id: turn.conversationId,
    workspace_id: turn.workspaceId,
    key_id: turn.keyId,
    sequence: turn.sequence,
    model: turn.model,
    connection: toConnectionName(turn.connectionId, names),
    status: toKnownValue(TURN_STATUSES, turn.status, 'interrupted'),
    finish_reason: turn.finishReason || null,
    error: error ? { code: toErrorCode(error.condition), message: error.message } : null,
    tokens_in: turn.tokensIn,
    tokens_out: turn.tokensOut,
    started_at: toTimestamp(turn.startedAt ?? new Date(0)),
    ended_at: toTimestampOrNull(turn.endedAt),
    duration_ms: turn.endedAt ? turn.durationMs : null,
    route_reason: routeReason || null,
    route_explanation: toRouteExplanation(routeReason),
    attempts: turn.attempts.map((one) => toAttempt(one, names)),
    times: toTimes(turn),
    timeline: toTurnTimeline(turn, names, now),
  };
}

function toConnectionName(id: string, names: ConnectionNames): z.input<typeof connection> {
  const { label = null, provider = null } = names.get(id) ?? {};
  return { id, label, provider };
}

function toAttempt({ connectionId, outcome, upstreamStatus, words, durationMs }: TurnAttempt, names: ConnectionNames) {
  return {
    connection: toConnectionName(connectionId, names),
    outcome: toErrorCode(outcome),
    upstream_status: upstreamStatus || null,
    upstream_message: words || null,
    duration_ms: durationMs,
  };
}

function toTimes({ times = {} }: TurnStory): z.input<typeof turnTimes> {
  return {
    routed_ms: times.routedMs ?? null,
    committed_ms: times.committedMs ?? null,
    asked_ms: times.askedMs ?? null,
    accepted_ms: times.acceptedMs ?? null,
    first_token_ms: times.firstTokenMs ?? null,
    answered_ms: times.answeredMs ?? null,
  };
}
