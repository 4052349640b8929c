import { isSampled } from '@parley/kit/telemetry/traceparent';
import { inSpan } from '@parley/kit/telemetry/tracer';
import { type TurnKey } from '../domain/turn.ts';

/**
 * Runs a commit of a turn in a span when the trace of the call is sampled; `work` gets the `traceparent` of the span, else an empty one. Costs
 * nothing without a trace.
 */
export function inRecordSpan<T>(
  name: 'record.begin' | 'record.end',
  parent: string,
  { turnId, conversationId }: Pick<TurnKey, 'turnId' | 'conversationId'>,
  work: (traceparent: string) => Promise<T>,
): Promise<T> {
  if (!isSampled(parent)) return work('');
  const attributes = { 'gen_ai.conversation.id': conversationId, 'parley.turn.id': turnId };
  return inSpan(name, { parent, attributes }, ({ sampled, traceparent }) => work(sampled ? traceparent : ''));
}
