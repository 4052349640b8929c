import { enableMetrics, readMetrics } from '@parley/kit/telemetry/meter';
import { METRICS, type MetricSpec } from '@parley/kit/telemetry/metrics';
import { readPromql } from './read-promql.ts';
import { type Rule } from './read-rules.ts';

/** Labels that Prometheus adds to every series of a target. */
const TARGET_LABELS = ['job', 'instance', 'process'];

/** Every series that an expression may read, with its labels. */
export type KnownMetrics = ReadonlyMap<string, ReadonlySet<string>>;

/** The series of METRICS, of every Node process, of Prometheus itself, and of recording rules. */
export async function knownMetrics(rules: readonly Rule[]): Promise<KnownMetrics> {
  const known = new Map<string, Set<string>>([
    ['up', new Set(TARGET_LABELS)],
    ['ALERTS', new Set([...TARGET_LABELS, 'alertname', 'alertstate', 'severity'])],
  ]);
  const add = (name: string, labels: readonly string[]) => known.set(name, new Set([...TARGET_LABELS, ...labels]));
  enableMetrics('test');
  for (const [, name = ''] of (await readMetrics()).text.matchAll(/^# TYPE (\S+) (?:gauge|counter)/gm)) add(name, []);
  for (const [name, { type, labels }] of Object.entries<MetricSpec>(METRICS)) {
    if (type !== 'histogram') add(name, labels);
    else
      for (const [suffix, more] of [
        ['_bucket', ['le']],
        ['_sum', []],
        ['_count', []],
      ] as const)
        add(name + suffix, [...labels, ...more]);
  }
  for (const { record, expr } of rules) if (record) add(record, readPromql(expr).groupings);
  return known;
}

/** What is wrong with an expression: series that do not exist, and labels that they do not have. */
export function findUnknown(expression: string, known: KnownMetrics): string[] {
  const { selectors, groupings } = readPromql(expression);
  const all = new Set(selectors.flatMap(({ metric }) => [...(known.get(metric) ?? [])]));
  return [
    ...selectors.filter(({ metric }) => !known.has(metric)).map(({ metric }) => `there is no ${metric}`),
    ...selectors.flatMap(({ metric, labels }) =>
      labels.filter((label) => known.has(metric) && !known.get(metric)?.has(label)).map((label) => `${metric} has no label ${label}`),
    ),
    ...groupings.filter((label) => !all.has(label)).map((label) => `nothing has the label ${label}`),
  ];
}
