import { readMetrics } from '../telemetry/meter.ts';
import { type RecordedSpan } from '../telemetry/span.ts';
import { setTracer, Tracer } from '../telemetry/tracer.ts';

/** A `traceparent` of a sampled trace. */
export const SAMPLED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** Returns the current values of a metric, by its labels as in a scrape, such as `kind="runs"`. */
export async function readMetric(name: string): Promise<Record<string, number>> {
  const { text } = await readMetrics();
  const lines = text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'));
  return Object.fromEntries([...lines].map(([, labels = '', value]) => [labels, Number(value)]));
}

/** Records the spans of sampled traces, and no others, until it is stopped. */
export function recordSpans(): { spans: RecordedSpan[]; stop: () => void } {
  const spans: RecordedSpan[] = [];
  setTracer(new Tracer({ ratio: 0, slowMs: Number.POSITIVE_INFINITY }, (span) => spans.push(span)));
  return { spans, stop: () => setTracer(undefined) };
}
