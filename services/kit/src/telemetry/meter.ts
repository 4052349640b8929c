import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { BucketHistogram } from './bucket-histogram.ts';
import { EventLoopMonitor } from './event-loop-delay.ts';
import { LabelSlots } from './label-slots.ts';
import { type LabelsOf, METRICS, type MetricName, type MetricSpec } from './metrics.ts';

/** The current values of a gauge: one for each set of labels. */
export type GaugeSamples<N extends MetricName<'gauge'>> = Iterable<{ labels: LabelsOf<N>; value: number }>;

type Observer<N extends MetricName<'gauge'>> = () => GaugeSamples<N> | Promise<GaugeSamples<N>>;

/** A counter, which only increases. */
export interface CounterMetric<N extends MetricName> {
  /** @param by a whole number, not negative. @default 1 */
  add(labels: LabelsOf<N>, by?: number): void;
}

/** A histogram of durations or sizes. */
export interface HistogramMetric<N extends MetricName> {
  /** Adds one value, in the unit of the metric. */
  record(labels: LabelsOf<N>, value: number): void;
}

/** Timeout of a gauge's observer in milliseconds; an observer that takes longer reports nothing in this scrape. */
const OBSERVER_MS = 2_000;
/** Interval of prom-client's event loop monitor, effectively never: it would wake an idle process many times a second. */
const NEVER_MS = 0x7fff_ffff;

/** What was added to a counter since the last scrape, by labels; prom-client takes a microsecond for each addition. */
type Pending = LabelSlots<{ by: number }>;

const registry = new Registry();
const counters = new Map<string, Pending>();
const histograms = new Map<string, BucketHistogram>();
const gauges = new Map<string, Set<Observer<MetricName<'gauge'>>>>();
/**
 * Functions that open the counters with labels known in advance: these report 0 from the start, otherwise `increase()` would miss their
 * first event.
 */
const fromZero = new Set<() => void>();
let isOn = false;

/** Turns metrics on for this process; until then all instruments do nothing. `version` is the gateway's version. */
export function enableMetrics(version: string): void {
  if (isOn) return;
  isOn = true;
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  for (const part of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'])
    registry.removeSingleMetric(`nodejs_eventloop_lag_${part}_seconds`);
  const monitor = new EventLoopMonitor();
  observeGauge('parley_event_loop_delay_seconds', () =>
    Object.entries(monitor.read() ?? {}).map(([quantile, value]) => ({ labels: { quantile }, value: value as number })),
  );
  observeGauge('parley_build_info', () => [{ labels: { version, node: process.version }, value: 1 }]);
  for (const create of fromZero) create();
}

/** Returns all metrics in the text format of Prometheus. */
export async function readMetrics(): Promise<{ contentType: string; text: string }> {
  const others = await registry.metrics();
  return { contentType: registry.contentType, text: [others, ...[...histograms.values()].map((each) => each.toText())].join('\n') };
}

/**
 * Returns the counter with this name. `known`: sets of labels that report 0 before their first event.
 * @default the one set of a metric without labels
 */
export function counter<N extends MetricName<'counter'>>(name: N, known: readonly LabelsOf<N>[] = []): CounterMetric<N> {
  let pending: Pending | undefined;
  const open = () => (pending ??= counters.get(name) ?? openCounter(name));
  if (known.length > 0 || METRICS[name].labels.length === 0) {
    const openKnown = () => {
      open();
      for (const labels of known) open().get(labels);
    };
    if (isOn) openKnown();
    else fromZero.add(openKnown);
  }
  return {
    add: (labels, by = 1) => {
      if (isOn) (pending ?? open()).get(labels).by += by;
    },
  };
}

/** Returns the histogram with this name. */
export function histogram<N extends MetricName<'histogram'>>(name: N): HistogramMetric<N> {
  let instrument: BucketHistogram | undefined;
  return {
    record: (labels, value) => {
      if (isOn) (instrument ??= histograms.get(name) ?? openHistogram(name)).record(labels, value);
    },
  };
}

/**
 * Reports a gauge: calls `read` at every scrape, and adds up the values of several observers with the same labels. The returned function
 * stops it. Does nothing while metrics are off.
 */
export function observeGauge<N extends MetricName<'gauge'>>(name: N, read: Observer<N>): () => void {
  if (!isOn) return () => undefined;
  const observers = gauges.get(name) ?? openGauge(name);
  observers.add(read);
  return () => observers.delete(read);
}

/**
 * Returns a function that calls `read` at most once within `everyMs` milliseconds and returns the last result in between: for values that
 * cost a query.
 */
export function throttleRead<T>(everyMs: number, read: () => Promise<T>): () => Promise<T> {
  let at = Number.NEGATIVE_INFINITY;
  let last: Promise<T> | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - at >= everyMs) {
      at = now;
      last = read();
    }
    return last;
  };
}

/**
 * Returns a function that bounds the values of a label: it returns the first `limit` distinct values unchanged and `other` for later ones.
 * For values that come from outside.
 */
export function createLabelLimiter(limit: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= limit) return 'other';
    known.add(value);
    return value;
  };
}

function openCounter(name: MetricName<'counter'>): Pending {
  const options = toOptions(name);
  const pending: Pending = new LabelSlots(options.labelNames, () => ({ by: 0 }));
  counters.set(name, pending);
  new Counter({
    ...options,
    registers: [registry],
    collect() {
      for (const { labels, slot } of pending.entries()) {
        this.inc(labels, slot.by);
        slot.by = 0;
      }
    },
  });
  return pending;
}

function openHistogram(name: MetricName<'histogram'>): BucketHistogram {
  const opened = new BucketHistogram({ ...toOptions(name), buckets: METRICS[name].buckets });
  histograms.set(name, opened);
  return opened;
}

function openGauge(name: MetricName<'gauge'>): Set<Observer<MetricName<'gauge'>>> {
  const observers = new Set<Observer<MetricName<'gauge'>>>();
  gauges.set(name, observers);
  new Gauge({
    ...toOptions(name),
    registers: [registry],
    async collect() {
      const all = await Promise.all([...observers].map(readInTime));
      this.reset();
      // A gauge without labels would be 0 now, although nothing was read.
      if (METRICS[name].labels.length === 0) this.remove();
      for (const { labels, value } of all.flat()) this.inc(labels, value);
    },
  });
  return observers;
}

async function readInTime(read: Observer<MetricName<'gauge'>>): Promise<{ labels: Readonly<Record<string, string>>; value: number }[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<[]>((resolve) => (timer = setTimeout(resolve, OBSERVER_MS, [])));
  try {
    return await Promise.race([Promise.resolve(read()).then((samples) => [...samples]), late]);
  } catch {
    // A value that cannot be read now, as while the database is unavailable, is absent from this scrape.
    return [];
  } finally {
    clearTimeout(timer);
  }
}

function toOptions(name: MetricName): { name: string; help: string; labelNames: string[] } {
  const { help, labels }: MetricSpec = METRICS[name];
  return { name, help, labelNames: [...labels] };
}
