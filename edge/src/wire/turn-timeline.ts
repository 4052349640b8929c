import { type TurnAttempt, type TurnStory } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, isErrorCondition } from '@parley/protos/errors';
import { z } from 'zod';

const EVENTS = [
  ...(['edge.received', 'edge.routed', 'routing.chosen', 'record.begun'] as const),
  ...(['upstream.asked', 'upstream.failed', 'upstream.accepted', 'upstream.first_token', 'upstream.answered'] as const),
  ...(['record.ended', 'turn.streaming'] as const),
] as const;

/** One event in the timeline of a turn. */
export const timelineEvent = z
  .object({
    at_ms: z.int().meta({ description: 'Since the head of the request arrived; since the start of the turn where no times are recorded.' }),
    event: z.enum(EVENTS),
    detail: z.string(),
  })
  .meta({ id: 'TimelineEvent' });

type Moment = z.input<typeof timelineEvent>;

/** Label and provider of a connection. */
export interface ConnectionName {
  label: string;
  provider: string;
}

/** Connections by id; a deleted connection, or one whose names could not be read, is absent. */
export type ConnectionNames = ReadonlyMap<string, ConnectionName>;

const REASONS: Readonly<Record<string, string>> = {
  named: 'the request named it',
  continued: 'the conversation is on it',
  project: 'the project of the request belongs to it',
  profile: 'the route profile of the request chose it',
  only: 'no other connection may take the turn',
  healthiest: 'the healthiest and least loaded of the connections that may take the turn',
};

/** Returns in words why a turn went to its first connection; null for an unknown reason. */
export function toRouteExplanation(reason: string): string | null {
  return REASONS[reason] ?? null;
}

/** Returns the error code of the API for a condition; a condition that this release does not know is returned unchanged. */
export function toErrorCode(condition: string): string {
  return isErrorCondition(condition) ? new GatewayError(condition, '').code : condition;
}

/**
 * Returns the events of a turn in order, through edge, routing, upstream and record; `now` is the time of the last event of a turn that is
 * still streaming.
 */
export function toTurnTimeline(turn: TurnStory, names: ConnectionNames, now: number): Moment[] {
  const { routedMs, committedMs = 0 } = turn.times ?? {};
  const began: Moment[] = [{ at_ms: 0, event: 'edge.received', detail: `request ${turn.requestId}` }];
  const routed: Moment[] = [{ at_ms: routedMs ?? 0, event: 'edge.routed', detail: 'key, body and quotas were checked' }];
  const choice = turn.attempts[0]?.connectionId ?? turn.connectionId;
  const reason = toRouteExplanation(turn.routeReason);
  const chosen = reason === null ? nameOf(choice, names) : `${nameOf(choice, names)}: ${reason}`;
  const moments: Moment[] = [
    ...(routedMs === undefined ? [] : [...began, ...routed]),
    ...(choice === '' ? [] : [{ at_ms: routedMs ?? 0, event: 'routing.chosen' as const, detail: chosen }]),
    { at_ms: committedMs, event: 'record.begun', detail: `turn ${turn.sequence} of conversation ${turn.conversationId}` },
    ...toUpstreamMoments(turn, names),
    toEnd(turn, now),
  ];
  return moments.sort((one, other) => one.at_ms - other.at_ms);
}

/** Attempts run one after the other: the first starts at `asked_ms`, each later one when the one before it has failed. */
function toUpstreamMoments({ attempts, times = {}, ...turn }: TurnStory, names: ConnectionNames): Moment[] {
  const moments: Moment[] = [];
  let at = times.askedMs ?? times.committedMs ?? 0;
  for (const attempt of attempts) {
    moments.push({ at_ms: at, event: 'upstream.asked', detail: nameOf(attempt.connectionId, names) });
    if (attempt.outcome !== 'ok' && attempt !== attempts.at(-1)) {
      at += attempt.durationMs;
      moments.push({ at_ms: at, event: 'upstream.failed', detail: toFailureText(attempt) });
    }
  }
  const { acceptedMs, firstTokenMs, answeredMs } = times;
  if (acceptedMs !== undefined) moments.push({ at_ms: acceptedMs, event: 'upstream.accepted', detail: 'the answer began' });
  if (firstTokenMs !== undefined) moments.push({ at_ms: firstTokenMs, event: 'upstream.first_token', detail: 'first output' });
  const last = attempts.at(-1);
  if (last === undefined || turn.status === 'streaming') return moments;
  const ended = answeredMs ?? at + last.durationMs;
  if (turn.status === 'failed') moments.push({ at_ms: ended, event: 'upstream.failed', detail: toFailureText(last) });
  else if (answeredMs !== undefined) moments.push({ at_ms: ended, event: 'upstream.answered', detail: `${turn.tokensOut} tokens` });
  return moments;
}

function toFailureText({ outcome, upstreamStatus }: TurnAttempt): string {
  return upstreamStatus === 0 ? toErrorCode(outcome) : `${toErrorCode(outcome)}, HTTP ${upstreamStatus}`;
}

/** Returns the last event. The commit at `committed_ms` relates the times of the database to those of the request. */
function toEnd({ status, error, times, startedAt, endedAt }: TurnStory, now: number): Moment {
  const begun = startedAt?.getTime() ?? now;
  const { committedMs = 0, answeredMs = 0 } = times ?? {};
  if (!endedAt) return { at_ms: Math.max(0, now - begun), event: 'turn.streaming', detail: 'the turn has not ended' };
  const at_ms = Math.max(committedMs, answeredMs, committedMs + endedAt.getTime() - begun);
  return { at_ms, event: 'record.ended', detail: error ? `${status}: ${toErrorCode(error.condition)}` : status };
}

function nameOf(id: string, names: ConnectionNames): string {
  const name = names.get(id);
  return name ? `${name.label} (${name.provider})` : `connection ${id}`;
}
