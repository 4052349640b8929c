import { beforeAll, describe, expect, it } from '@jest/globals';
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { parse } from 'yaml';
import { type Chart, type Manifest, renderChart } from './chart.ts';
import { mergeValues, CHART_VALUE_SETS } from './check-chart.ts';
import { readPods } from './testing/rendered-pods.ts';
import { CHART_FOLDER, openChart } from './testing/the-chart.ts';

const OBSERVABILITY = `${CHART_FOLDER}/../../observability`;
const WATCHED = 'everything that is watched';

let chart: Chart;
let manifests: Manifest[];
beforeAll(async () => {
  chart = await openChart();
  manifests = await renderChart(chart, CHART_VALUE_SETS[WATCHED] ?? {});
});

describe('what is watched', () => {
  it('has one source: the files of the chart are links', async () => {
    for (const [link, target] of Object.entries({ rules: 'prometheus/rules', dashboards: 'grafana/dashboards' })) {
      const path = `${CHART_FOLDER}/files/${link}`;
      expect((await lstat(path)).isSymbolicLink()).toBe(true);
      expect(await realpath(path)).toBe(await realpath(`${OBSERVABILITY}/${target}`));
    }
  });

  it('has the rules of Prometheus, word for word', async () => {
    const files = (await readdir(`${OBSERVABILITY}/prometheus/rules`)).sort();
    const texts = await Promise.all(files.map((file) => readFile(`${OBSERVABILITY}/prometheus/rules/${file}`, 'utf8')));
    const groups = texts.flatMap((text) => (parse(text) as { groups: unknown[] }).groups);
    expect(groups.length).toBeGreaterThan(1);
    expect(manifests.find(({ kind }) => kind === 'PrometheusRule')?.['spec']).toEqual({ groups });
  });

  it('leads from alerts to their pages', async () => {
    const base = 'https://git.example.com/parley/';
    const values = mergeValues(CHART_VALUE_SETS[WATCHED] ?? {}, { monitoring: { prometheusRule: { runbookBaseUrl: base } } });
    const rule = (await renderChart(chart, values)).find(({ kind }) => kind === 'PrometheusRule');
    const urls = JSON.stringify(rule).match(/"runbook_url":"[^"]+"/g) ?? [];
    expect(urls.length).toBeGreaterThan(10);
    expect(urls.filter((url) => !url.startsWith(`"runbook_url":"${base}docs/runbooks/Parley`))).toEqual([]);
  });

  it('has every dashboard, byte for byte', async () => {
    const names = (await readdir(`${OBSERVABILITY}/grafana/dashboards`)).sort();
    const maps = manifests.filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.labels?.['grafana_dashboard'] === '1');
    const data = Object.assign({}, ...maps.map((map) => map['data'])) as Record<string, string>;
    expect(Object.keys(data).sort()).toEqual(names);
    for (const name of names) expect(data[name]).toBe(await readFile(`${OBSERVABILITY}/grafana/dashboards/${name}`, 'utf8'));
  });

  it('has the labels that rules and dashboards read', () => {
    const monitor = manifests.find(({ kind }) => kind === 'ServiceMonitor')?.['spec'] as {
      selector: { matchLabels: Record<string, string> };
      endpoints: { port: string; relabelings: { targetLabel: string; replacement?: string; sourceLabels?: string[] }[] }[];
    };
    const service = manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'parley-metrics');
    expect(service?.metadata.labels).toMatchObject(monitor.selector.matchLabels);
    // A draining pod is not ready, and still counts its turns.
    expect(service?.['spec']).toMatchObject({ publishNotReadyAddresses: true, ports: [{ name: monitor.endpoints[0]?.port }] });
    expect(monitor.endpoints[0]?.relabelings).toEqual([
      { targetLabel: 'job', replacement: 'parley' },
      { targetLabel: 'process', sourceLabels: ['__meta_kubernetes_pod_label_app_kubernetes_io_component'] },
    ]);
    for (const { component, labels } of readPods(manifests)) expect(labels['app.kubernetes.io/component']).toBe(component);
  });

  it('is not there unless it is wanted', async () => {
    const kinds = (await renderChart(chart, CHART_VALUE_SETS['the defaults'] ?? {})).map(({ kind }) => kind);
    expect(
      kinds.filter((kind) => ['ServiceMonitor', 'PrometheusRule', 'ConfigMap', 'ScaledObject', 'HTTPRoute', 'Ingress'].includes(kind)),
    ).toEqual([]);
  });
});
