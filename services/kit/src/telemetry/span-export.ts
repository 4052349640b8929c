import { type Attributes, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { counter } from './meter.ts';
import { type RecordedSpan } from './span.ts';
import { type SpanSink } from './tracer.ts';

/** Where and with what headers spans are exported. */
export interface SpanExportOptions {
  /** The whole URL, such as `http://127.0.0.1:4318/v1/traces`. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Attributes of the process, including `service.name`. */
  resource: Attributes;
}

/** A running export of spans. */
export interface SpanExport {
  sink: SpanSink;
  /** Sends the waiting spans, for three seconds at most. */
  close(): Promise<void>;
}

const MAX_QUEUE = 2_048;
/**
 * Interval of requests, OpenTelemetry's default. Every request has a fixed cost, however few spans it contains; a full batch of 512 spans
 * is sent at once.
 */
const DELAY_MS = 5_000;
const SEND_MS = 5_000;
const CLOSE_MS = 3_000;

const DROPPED = counter('parley_spans_dropped_total');

/**
 * Sends spans over OTLP/HTTP in the background. The queue is bounded: spans that do not fit are dropped and counted, and no work ever waits
 * for the receiver.
 */
export function startSpanExport({ url, headers, resource }: SpanExportOptions): SpanExport {
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: SEND_MS, concurrencyLimit: 1 });
  const queue = new CountingExporter(exporter);
  const processor = new BatchSpanProcessor(queue, {
    maxQueueSize: MAX_QUEUE,
    exportTimeoutMillis: SEND_MS,
    scheduledDelayMillis: DELAY_MS,
  });
  const ofProcess = resourceFromAttributes(resource);
  return {
    sink: (span) => {
      if (queue.waiting >= MAX_QUEUE) return DROPPED.add({});
      queue.waiting++;
      processor.onEnd(toReadableSpan(span, ofProcess));
    },
    close: async () => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
      await Promise.race([processor.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

/** Counts the waiting spans, since the processor drops spans without any report. */
class CountingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  waiting = 0;

  constructor(exporter: SpanExporter) {
    this.#exporter = exporter;
  }

  export(...[spans, done]: Parameters<SpanExporter['export']>): void {
    this.waiting -= spans.length;
    this.#exporter.export(spans, done);
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }
}

function toReadableSpan(span: RecordedSpan, resource: ReadableSpan['resource']): ReadableSpan {
  const { traceId, spanId, parentSpanId, error } = span;
  const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
  return {
    name: span.name,
    kind: span.kind,
    spanContext: () => context,
    ...(parentSpanId && { parentSpanContext: { ...context, spanId: parentSpanId, isRemote: true } }),
    startTime: toTime(span.startedAt),
    endTime: toTime(span.endedAt),
    duration: toParts(span.endedAt - span.startedAt),
    status: error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
    attributes: error === undefined ? span.attributes : { ...span.attributes, 'error.type': error },
    links: span.links,
    events: span.events.map(({ name, at, attributes }) => ({ name, time: toTime(at), ...(attributes && { attributes }) })),
    ended: true,
    resource,
    instrumentationScope: { name: 'parley' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Converts a `performance.now()` to seconds and nanoseconds since 1970. */
function toTime(at: number): [number, number] {
  return toParts(performance.timeOrigin + at);
}

function toParts(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}
