import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { type Chart, type ChartValues, type Manifest, renderChart } from './chart.ts';
import { mergeValues, CHART_VALUE_SETS } from './check-chart.ts';
import { readMigrators, readPods, type RenderedPod, toEnvironment } from './testing/rendered-pods.ts';
import { CHART_FOLDER, openChart } from './testing/the-chart.ts';
import { REQUIRED_VALUES } from './values-matrix.ts';

const STREAMING = ['edge', 'chat-routing'];
/** What a process needs after its drain, to write what is left and close (run-service.ts). */
const CLOSING_SECONDS = 13;

let chart: Chart;
let manifests: Manifest[];
let pods: RenderedPod[];
const render = (values: ChartValues) => renderChart(chart, mergeValues(REQUIRED_VALUES, values));
beforeAll(async () => {
  chart = await openChart();
  manifests = await render({});
  pods = readPods(manifests);
});

const named = (of: readonly Manifest[], kind: string) => of.filter((manifest) => manifest.kind === kind);
const one = (of: readonly Manifest[], kind: string, name: string) => named(of, kind).find(({ metadata }) => metadata.name === name);
const seconds = (text: string | undefined) => Number(/^(\d+)s$/.exec(text ?? '')?.[1] ?? 0);

describe('every pod', () => {
  it('may do nothing but its work', () => {
    for (const { spec, container } of pods) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
    for (const { securityContext } of readMigrators(manifests)) expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true });
    for (const account of named(manifests, 'ServiceAccount')) expect(account['automountServiceAccountToken']).toBe(false);
  });

  it('has an account of its own, and runs as the user of the image', async () => {
    expect(new Set(pods.map(({ spec }) => spec.serviceAccountName)).size).toBe(pods.length);
    for (const { spec } of pods) expect(one(manifests, 'ServiceAccount', spec.serviceAccountName ?? '')).toBeDefined();
    const dockerfile = await readFile(`${CHART_FOLDER}/../../docker/Dockerfile`, 'utf8');
    expect(dockerfile).toContain('\nUSER 1000:1000\n');
  });

  it('can write where its process does, and nowhere else', () => {
    for (const { component, container } of pods) {
      const places = container.volumeMounts.map(({ mountPath }) => mountPath);
      expect({ component, places }).toEqual({ component, places: component === 'audio' ? ['/tmp', '/scratch'] : ['/tmp'] });
    }
  });

  it('says what it needs and is bounded in memory', () => {
    for (const { container } of pods)
      expect(container.resources).toEqual({
        requests: { cpu: expect.anything(), memory: expect.anything() },
        limits: { memory: expect.anything() },
      });
  });

  it('is asked at the door that its process has', () => {
    for (const { component, container } of pods) {
      const env = toEnvironment(container, { DATABASE_URL: '', PARLEY_SECRET_KEYS: '', PARLEY_OPERATOR_KEY: '' });
      const { startupProbe, livenessProbe, readinessProbe, ports } = container;
      const port = (name: string) => ports.find((entry) => entry.name === name)?.containerPort;
      expect(port('metrics')).toBe(Number(env['PARLEY_METRICS_LISTEN']?.split(':')[1]));
      if (component === 'edge') {
        const asked = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet);
        expect(asked).toEqual(['/livez', '/livez', '/readyz'].map((path) => ({ path, port: 'http' })));
        expect(port('http')).toBe(Number(env['PARLEY_PORT']));
      } else {
        const grpc = Number(env['PARLEY_LISTEN']?.split(':')[1]);
        expect([startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.grpc?.port)).toEqual([grpc, grpc, grpc]);
        expect(port('grpc')).toBe(grpc);
      }
      const listen = Object.entries(env).find(([name]) => name.endsWith('_HTTP_LISTEN'));
      if (listen) expect(port('http')).toBe(Number(listen[1].split(':')[1]));
    }
  });

  it('has time to wait for its schema before it counts as failed', () => {
    for (const { container } of pods) {
      const { periodSeconds, failureThreshold } = container.startupProbe ?? { periodSeconds: 0, failureThreshold: 0 };
      // prepare-schema.ts waits for five minutes.
      expect(periodSeconds * failureThreshold).toBeGreaterThan(330);
    }
  });
});

describe('the end of a pod', () => {
  it.each(['the defaults', 'no time to leave'])('leaves time for all that its process does: %s', async (set) => {
    for (const { component, container, spec } of readPods(await renderChart(chart, CHART_VALUE_SETS[set] ?? {}))) {
      const env = toEnvironment(container, { DATABASE_URL: '', PARLEY_SECRET_KEYS: '', PARLEY_OPERATOR_KEY: '' });
      const drain = STREAMING.includes(component) ? seconds(env['PARLEY_LAME_DUCK']) + seconds(env['PARLEY_DRAIN_TIMEOUT']) : 55;
      const before = container.lifecycle?.preStop.sleep.seconds ?? 0;
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(before + drain + CLOSING_SECONDS);
    }
  });

  it('waits for the longest turn, and for its files', () => {
    for (const { container } of pods.filter(({ component }) => STREAMING.includes(component))) {
      const drain = container.env.find(({ name }) => name === 'PARLEY_DRAIN_TIMEOUT')?.value;
      // PARLEY_TURN_MS and PARLEY_ASSET_WAIT by default.
      expect(seconds(drain)).toBeGreaterThanOrEqual(600 + 60);
    }
  });

  it('comes after its replacement is ready', () => {
    for (const { workload } of pods)
      expect(workload['spec']).toMatchObject({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
  });

  it('comes to one at a time when nodes are emptied', async () => {
    const budgets = named(manifests, 'PodDisruptionBudget').map(({ spec }) => spec);
    expect(budgets).toHaveLength(pods.length);
    for (const { labels } of pods)
      expect(budgets).toContainEqual(expect.objectContaining({ maxUnavailable: 1, selector: { matchLabels: selectorOf(labels) } }));
    // The budget of a single replica would hold up its node.
    expect(named(await render({ defaults: { replicas: 1 } }), 'PodDisruptionBudget')).toEqual([]);
  });

  it('spreads pods over nodes and zones', () => {
    for (const { spec } of pods)
      expect(spec.topologySpreadConstraints.map(({ topologyKey }) => topologyKey)).toEqual([
        'kubernetes.io/hostname',
        'topology.kubernetes.io/zone',
      ]);
  });
});

function selectorOf(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => /\/(name|instance|component)$/.test(name)));
}

describe('services', () => {
  const spec = (name: string) =>
    one(manifests, 'Service', name)?.['spec'] as { clusterIP?: string; selector: object; ports: { port: number }[] };

  it('of gRPC are headless, and lead to where callers look for them', () => {
    const addresses = pods.flatMap(({ container }) => container.env.filter(({ name }) => /^PARLEY_[A-Z_]+_ADDRESS$/.test(name)));
    for (const { name, value } of addresses) {
      const [, service = '', port] = /^dns:\/\/\/(.+):(\d+)$/.exec(value ?? '') ?? [];
      const component = /^PARLEY_(.+)_ADDRESS$/.exec(name)?.[1]?.toLowerCase().replaceAll('_', '-');
      expect(spec(service)).toMatchObject({
        clusterIP: 'None',
        selector: { 'app.kubernetes.io/component': component },
        ports: [{ port: Number(port) }],
      });
    }
  });

  it('of downloads lead to the listener', () => {
    for (const { component, container } of pods) {
      const url = container.env.find(({ name }) => name.endsWith('_HTTP_URL'))?.value;
      if (!url) continue;
      const { hostname, port } = new URL(url);
      expect(spec(hostname)).toMatchObject({
        selector: { 'app.kubernetes.io/component': component },
        ports: [{ port: Number(port), targetPort: 'http' }],
      });
    }
  });

  it('select pods that are there', () => {
    for (const service of named(manifests, 'Service')) {
      const { selector } = service['spec'] as { selector: Record<string, string> };
      const selected = pods.filter(({ labels }) => Object.entries(selector).every(([name, value]) => labels[name] === value));
      expect({ service: service.metadata.name, selected: selected.length }).toEqual({
        service: service.metadata.name,
        selected: service.metadata.name === 'parley-metrics' ? pods.length : 1,
      });
    }
  });
});

describe('scaling', () => {
  it.each(['horizontal pod autoscalers', 'KEDA'])('is left to %s, and takes replicas away slowly', async (set) => {
    const scaled = await renderChart(chart, CHART_VALUE_SETS[set] ?? {});
    const kind = set === 'KEDA' ? 'ScaledObject' : 'HorizontalPodAutoscaler';
    expect(named(scaled, kind)).toHaveLength(pods.length);
    for (const { workload } of readPods(scaled)) expect(workload['spec']).not.toHaveProperty('replicas');
    const slow = { scaleDown: { stabilizationWindowSeconds: 900, policies: [{ type: 'Pods', value: 1, periodSeconds: 300 }] } };
    for (const { metadata, spec } of named(scaled, kind) as (Manifest & { spec: Record<string, unknown> })[]) {
      expect(spec['scaleTargetRef']).toMatchObject({ kind: 'Deployment', name: metadata.name });
      expect(JSON.stringify(spec)).toContain(JSON.stringify(slow.scaleDown.policies));
      expect(JSON.stringify(spec)).toContain('"stabilizationWindowSeconds":900');
    }
  });

  it('counts turns in flight with KEDA', async () => {
    const scaled = await renderChart(chart, CHART_VALUE_SETS['KEDA'] ?? {});
    const triggers = (name: string) =>
      (one(scaled, 'ScaledObject', name)?.['spec'] as { triggers: { type: string; metadata: object }[] }).triggers;
    expect(triggers('parley-chat-routing')).toContainEqual({
      type: 'prometheus',
      metricType: 'AverageValue',
      metadata: {
        serverAddress: 'http://prometheus-operated.monitoring:9090',
        query: 'sum(parley_turns_in_flight{namespace="chat", process="chat-routing"}) or vector(0)',
        threshold: '400',
      },
    });
    expect(triggers('parley-edge')[1]?.metadata).toMatchObject({ query: expect.stringContaining('parley_requests_in_flight{') });
    expect(triggers('parley-usage').map(({ type }) => type)).toEqual(['cpu']);
  });

  it('counts turns in flight with a horizontal pod autoscaler', async () => {
    const scaled = await renderChart(chart, CHART_VALUE_SETS['horizontal pod autoscalers'] ?? {});
    expect(one(scaled, 'HorizontalPodAutoscaler', 'parley-chat-routing')?.['spec']).toMatchObject({
      minReplicas: 2,
      metrics: [{ type: 'Resource' }, { type: 'Pods', pods: { metric: { name: 'parley_turns_in_flight' } } }],
    });
  });
});

describe('the door to the world', () => {
  it('of an Ingress keeps streams open', async () => {
    const [ingress] = named(await renderChart(chart, CHART_VALUE_SETS['an ingress of nginx'] ?? {}), 'Ingress');
    expect(ingress?.metadata.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/proxy-read-timeout': '720',
      'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
    });
    expect(JSON.stringify(ingress?.['spec'])).toContain('"service":{"name":"parley"');
  });

  it('of the Gateway API keeps streams open', async () => {
    const [route] = named(await renderChart(chart, CHART_VALUE_SETS['the Gateway API'] ?? {}), 'HTTPRoute');
    expect(route?.['spec']).toMatchObject({
      rules: [{ timeouts: { request: '720s', backendRequest: '720s' }, backendRefs: [{ name: 'parley', port: 80 }] }],
    });
  });

  it('is only the edge’s', async () => {
    const everything = await renderChart(chart, CHART_VALUE_SETS['everything at once'] ?? {});
    const open = named(everything, 'Service').filter(({ spec }) => (spec as { type?: string }).type !== undefined);
    expect(open.map(({ metadata }) => metadata.name)).toEqual(['parley']);
  });
});

describe('the chart', () => {
  it('has the version of the repository', async () => {
    const { version, appVersion } = parse(await readFile(`${CHART_FOLDER}/Chart.yaml`, 'utf8')) as Record<string, string>;
    const repository = JSON.parse(await readFile(`${CHART_FOLDER}/../../../package.json`, 'utf8')) as { version: string };
    expect({ version, appVersion }).toEqual({ version: repository.version, appVersion: repository.version });
    for (const { container } of pods) expect(container.image).toBe(`parley:${repository.version}`);
  });

  it('keeps names that fit, whatever the release is called', async () => {
    const long = await render({ fullnameOverride: 'a'.repeat(60) });
    for (const { metadata } of long) expect(metadata.name.length).toBeLessThanOrEqual(63);
  });
});
