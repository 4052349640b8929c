import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type Chart, type Manifest, renderChart } from './chart.ts';
import { CHART_VALUE_SETS } from './check-chart.ts';
import { readPods, type RenderedPod } from './testing/rendered-pods.ts';
import { openChart } from './testing/the-chart.ts';

const peer = z.object({ podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }).optional() });
const ports = z.array(z.object({ port: z.int() }));
const policySpec = z.object({
  podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
  policyTypes: z.array(z.string()),
  ingress: z.array(z.object({ from: z.array(peer).optional(), ports })).default([]),
  egress: z.array(z.object({ to: z.array(peer).optional(), ports })).default([]),
});
type PolicySpec = z.infer<typeof policySpec>;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMPONENT = 'app.kubernetes.io/component';

let chart: Chart;
let manifests: Manifest[];
let pods: RenderedPod[];
beforeAll(async () => {
  chart = await openChart();
  manifests = await renderChart(chart, CHART_VALUE_SETS['the defaults'] ?? {});
  pods = readPods(manifests);
});

function policies(of: readonly Manifest[]): Map<string, PolicySpec> {
  const read = of.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => policySpec.parse(spec));
  return new Map(read.map((spec) => [spec.podSelector.matchLabels[COMPONENT] ?? '', spec]));
}

/** Components among the peers of a rule. */
const components = (peers: readonly z.infer<typeof peer>[] = []) =>
  peers.flatMap(({ podSelector }) => podSelector?.matchLabels[COMPONENT] ?? []);

/** Who calls whom by the configuration of the services: each address that one reads is a service that it calls. */
async function calls(): Promise<string[]> {
  const all = pods.map(async ({ component }) => {
    const file = component === 'edge' ? 'edge/src/config.ts' : `services/${component}/src/config.ts`;
    const names = (await readFile(ROOT + file, 'utf8')).matchAll(/^ {2}PARLEY_([A-Z_]+)_ADDRESS: /gm);
    return Array.from(names, ([, name = '']) => `${component} > ${name.toLowerCase().replaceAll('_', '-')}`);
  });
  // The edge's configuration names them twice.
  return [...new Set((await Promise.all(all)).flat())].sort();
}

describe('network policies', () => {
  it('let exactly those talk to each other who call each other', async () => {
    const expected = await calls();
    const all = [...policies(manifests)].filter(([name]) => name !== 'migrate');
    const out = all.flatMap(([caller, { egress }]) =>
      egress.flatMap(({ to, ports: open }) => components(to).map((callee) => ({ edge: `${caller} > ${callee}`, open }))),
    );
    const into = all.flatMap(([callee, { ingress }]) =>
      ingress.flatMap(({ from, ports: open }) => components(from).map((caller) => ({ edge: `${caller} > ${callee}`, open }))),
    );
    expect(out.map(({ edge }) => edge).sort()).toEqual(expected);
    expect(into.map(({ edge }) => edge).sort()).toEqual(expected);
    const portsOf = (rules: typeof out) => Object.fromEntries(rules.map(({ edge, open }) => [edge, open.map(({ port }) => port)]));
    expect(portsOf(out)).toEqual(portsOf(into));
    // Downloads go through the edge.
    expect(portsOf(out)).toMatchObject({ 'edge > asset': [50051, 8081], 'edge > audio': [50051, 8082], 'actions > asset': [50051] });
  });

  it('give every process the addresses of those that it calls, and no others', async () => {
    const given = pods.flatMap(({ component, container }) =>
      container.env.flatMap(({ name }) => {
        const callee = /^PARLEY_([A-Z_]+)_ADDRESS$/.exec(name)?.[1];
        return callee === undefined ? [] : [`${component} > ${callee.toLowerCase().replaceAll('_', '-')}`];
      }),
    );
    expect(given.sort()).toEqual(await calls());
  });

  it('cover every pod in both directions', () => {
    const all = policies(manifests);
    expect([...all.keys()].sort()).toEqual([...pods.map(({ component }) => component), 'migrate'].sort());
    for (const { policyTypes } of all.values()) expect(policyTypes).toEqual(['Ingress', 'Egress']);
  });

  it('open no port that no process has', () => {
    for (const { component, container } of pods) {
      const own = new Set(container.ports.map(({ containerPort }) => containerPort));
      const open =
        policies(manifests)
          .get(component)
          ?.ingress.flatMap((rule) => rule.ports.map(({ port }) => port)) ?? [];
      expect({ component, strange: open.filter((port) => !own.has(port)) }).toEqual({ component, strange: [] });
    }
  });

  it('let to the outside only who has business there', async () => {
    const everything = policies(await renderChart(chart, CHART_VALUE_SETS['everything at once'] ?? {}));
    const reach = (port: number) =>
      [...everything]
        .filter(([, { egress }]) =>
          egress.some((rule) => components(rule.to).length === 0 && rule.ports.some((open) => open.port === port)),
        )
        .map(([name]) => name);
    const all = pods.map(({ component }) => component);
    expect(reach(5432).sort()).toEqual([...all, 'migrate'].sort());
    expect(reach(4222).sort()).toEqual([...all].sort());
    expect(reach(6379)).toEqual(['edge']);
    expect(reach(443).sort()).toEqual(['actions', 'asset', 'audio', 'chat-routing', 'edge']);
    expect(reach(80).sort()).toEqual(['actions', 'audio', 'chat-routing', 'edge']);
    expect(
      policies(await renderChart(chart, CHART_VALUE_SETS['a volume for files'] ?? {}))
        .get('asset')
        ?.egress.some((rule) => rule.ports.some(({ port }) => port === 443)),
    ).toBe(false);
  });

  it('let only the named ones to the edge, and the test of the release', async () => {
    const narrow = policies(await renderChart(chart, CHART_VALUE_SETS['narrow network policies'] ?? {})).get('edge');
    const rule = narrow?.ingress.find(({ ports: open }) => open.some(({ port }) => port === 8080));
    expect(rule?.from).toEqual([
      { podSelector: { matchLabels: { a: 'b' } } },
      { podSelector: { matchLabels: expect.objectContaining({ [COMPONENT]: 'test' }) } },
    ]);
    expect(narrow?.egress.some(({ ports: open }) => open.some(({ port }) => port === 443))).toBe(false);
  });

  it('can be left out', async () => {
    expect(policies(await renderChart(chart, CHART_VALUE_SETS['no network policies'] ?? {})).size).toBe(0);
  });
});
