import { type Span } from '@parley/kit/telemetry/span';
import { isSampled } from '@parley/kit/telemetry/traceparent';
import { runInSpan } from '@parley/kit/telemetry/tracer';
import { type TurnKey } from '../domain/turn.ts';

/**
 * Runs a commit of a turn in a span when the trace of the call is sampled; `work` gets the `traceparent` of the span, else an empty one.
 * Creates no span otherwise.
 */
export function runInRecordSpan<T>(
  name: 'record.begin' | 'record.end',
  parent: string | Span,
  { turnId, conversationId }: Pick<TurnKey, 'turnId' | 'conversationId'>,
  work: (traceparent: string) => Promise<T>,
): Promise<T> {
  const sampled = typeof parent === 'string' ? isSampled(parent) : parent.sampled;
  if (!sampled) return work('');
  const attributes = { 'gen_ai.conversation.id': conversationId, 'parley.turn.id': turnId };
  return runInSpan(name, { parent, attributes }, (span) => work(span.sampled ? span.traceparent : ''));
}
