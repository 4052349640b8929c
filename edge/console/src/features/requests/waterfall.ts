import { type Turn } from './queries/turns.ts';

/** Where time was spent. */
export type Lane = 'edge' | 'routing' | 'upstream' | 'record';

/** A span of a turn; all times in milliseconds since the head of the request. */
export interface Span {
  lane: Lane;
  /** A key of the texts. */
  name: 'checks' | 'begin' | 'attempt' | 'accept' | 'firstToken' | 'answer' | 'end';
  /** What it was about. */
  detail: string;
  start: number;
  end: number;
  /** The code of the error that it ended with. */
  failure: string | undefined;
}

/** Returns the spans of a turn in their order, as far as their times are recorded; other times stay gaps. */
export function toSpans(turn: Turn): Span[] {
  const { times, attempts, timeline } = turn;
  const total = toTurnDurationMs(turn);
  const spans: Span[] = [];
  const add = (span: Omit<Span, 'failure' | 'detail'> & Partial<Span>) => spans.push({ failure: undefined, detail: '', ...span });
  const {
    routed_ms: routed,
    committed_ms: committed,
    asked_ms: asked,
    accepted_ms: accepted,
    first_token_ms: first,
    answered_ms: answered,
  } = times;
  if (routed !== null) add({ lane: 'edge', name: 'checks', start: 0, end: routed });
  const begun = asked ?? committed;
  if (begun !== null) add({ lane: 'routing', name: 'begin', start: routed ?? 0, end: begun, detail: labelOf(attempts[0] ?? turn) });
  let at = begun ?? 0;
  for (const [place, attempt] of attempts.entries()) {
    const isLast = place === attempts.length - 1;
    const isFailed = attempt.outcome !== 'ok' && attempt.outcome !== 'interrupted';
    if (!isLast || isFailed || accepted === null) {
      const end = isLast ? (answered ?? at + attempt.duration_ms) : at + attempt.duration_ms;
      add({ lane: 'upstream', name: 'attempt', start: at, end, detail: labelOf(attempt), failure: isFailed ? attempt.outcome : undefined });
      at = end;
    } else {
      add({ lane: 'upstream', name: 'accept', start: at, end: accepted, detail: labelOf(attempt) });
      const heard = first ?? accepted;
      if (first !== null) add({ lane: 'upstream', name: 'firstToken', start: accepted, end: first });
      add({ lane: 'upstream', name: 'answer', start: heard, end: answered ?? total });
      at = answered ?? total;
    }
  }
  const ended = timeline.find(({ event }) => event === 'record.ended')?.at_ms;
  if (ended !== undefined) add({ lane: 'record', name: 'end', start: Math.min(at, ended), end: ended, failure: turn.error?.code });
  return spans;
}

/** Returns the time from the head of the request to the last known moment of the turn, at least 1. */
export function toTurnDurationMs({ timeline, duration_ms }: Turn): number {
  return Math.max(1, duration_ms ?? 0, ...timeline.map(({ at_ms }) => at_ms));
}

function labelOf({ connection }: { connection: Turn['connection'] }): string {
  return connection.label ?? connection.id;
}
