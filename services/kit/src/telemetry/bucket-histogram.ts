import { type Labels, LabelSlots } from './label-slots.ts';

interface Slot {
  /** One count for each bucket, and one for values above all bounds. */
  counts: number[];
  sum: number;
}

/** Name, labels and buckets of a histogram. */
export interface HistogramOptions {
  name: string;
  help: string;
  labelNames: readonly string[];
  /** Upper bounds of the buckets, ascending, without `+Inf`. */
  buckets: readonly number[];
}

/** A histogram. Used instead of prom-client's, which takes a microsecond for each value; a turn has several (ADR 0052). */
export class BucketHistogram {
  readonly #options: HistogramOptions;
  readonly #slots: LabelSlots<Slot>;

  constructor(options: HistogramOptions) {
    this.#options = options;
    const { labelNames, buckets } = options;
    this.#slots = new LabelSlots(labelNames, () => ({ counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 }));
    // A histogram without labels has its one series from the start.
    if (labelNames.length === 0) this.#slots.get({});
  }

  /** Adds one value to the series of `labels`. */
  record(labels: Labels, value: number): void {
    const { buckets } = this.#options;
    const slot = this.#slots.get(labels);
    let at = 0;
    while (at < buckets.length && value > (buckets[at] as number)) at++;
    slot.counts[at] = (slot.counts[at] as number) + 1;
    slot.sum += value;
  }

  /** Returns the lines of the metric in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). */
  toText(): string {
    const { name, help } = this.#options;
    const lines = [`# HELP ${name} ${escape(help)}`, `# TYPE ${name} histogram`];
    for (const { labels, slot } of this.#slots.entries()) lines.push(...this.#toLines(labels, slot));
    return `${lines.join('\n')}\n`;
  }

  #toLines(labels: Labels, { counts, sum }: Slot): string[] {
    const { name, buckets } = this.#options;
    let total = 0;
    const lines = counts.map((count, at) => {
      total += count;
      return `${name}_bucket${toText({ ...labels, le: String(buckets[at] ?? '+Inf') })} ${total}`;
    });
    return [...lines, `${name}_sum${toText(labels)} ${sum}`, `${name}_count${toText(labels)} ${total}`];
  }
}

function toText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escape(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
