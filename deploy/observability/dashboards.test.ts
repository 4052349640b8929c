import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { findUnknown, type KnownMetrics, knownMetrics } from './testing/known-metrics.ts';
import { OBSERVABILITY, readRules } from './testing/read-rules.ts';

const datasource = z.object({ type: z.literal('prometheus'), uid: z.literal('${datasource}') });
const place = z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() });
const target = z.object({ datasource, expr: z.string(), legendFormat: z.string() });
const panel = z.object({ id: z.int(), title: z.string().min(1), type: z.string(), gridPos: place, targets: z.array(target).default([]) });
const variable = z.object({ name: z.string(), type: z.enum(['datasource', 'query']), definition: z.string().optional() });
const dashboard = z.object({
  uid: z.string(),
  title: z.string(),
  tags: z.array(z.string()),
  templating: z.object({ list: z.array(variable) }),
  annotations: z.object({ list: z.array(z.object({ datasource, expr: z.string() })) }),
  panels: z.array(panel),
});

const FOLDER = `${OBSERVABILITY}grafana/dashboards/`;
let known: KnownMetrics;
beforeAll(async () => void (known = await knownMetrics(await readRules())));

describe('dashboards of Grafana', () => {
  it.each(['parley-overview', 'parley-upstreams', 'parley-record', 'parley-jobs'])(
    '%s reads metrics and labels that exist',
    async (uid) => {
      const read = dashboard.parse(JSON.parse(await readFile(`${FOLDER}${uid}.json`, 'utf8')));
      expect(read).toMatchObject({ uid, tags: ['parley'] });
      const queries = [
        ...read.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
        ...read.annotations.list.map(({ expr }) => expr),
      ];
      const variables = read.templating.list.flatMap(({ definition }) => /^label_values\((.+), \w+\)$/.exec(definition ?? '')?.[1] ?? []);
      expect([...queries, ...variables].flatMap((expr) => findUnknown(fill(expr), known))).toEqual([]);
      expect(read.panels.filter(({ type, targets }) => type !== 'row' && targets.length === 0)).toEqual([]);
    },
  );

  it('show every metric of the table', async () => {
    const texts = await Promise.all((await readdir(FOLDER)).map((name) => readFile(FOLDER + name, 'utf8')));
    const all = texts.join('\n');
    const rules = (await readRules()).map(({ expr }) => expr).join('\n');
    const shown = (name: string) => all.includes(name) || rules.includes(name);
    const families = [...known.keys()]
      .filter((name) => /^(parley_|gen_ai_)/.test(name))
      .map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    expect([...new Set(families)].filter((name) => !shown(name))).toEqual([]);
  });

  it('have panels that do not overlap', async () => {
    for (const name of await readdir(FOLDER)) {
      const { panels } = dashboard.parse(JSON.parse(await readFile(FOLDER + name, 'utf8')));
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
      );
      expect(new Set(cells).size).toBe(cells.length);
    }
  });
});

/** Grafana's variables as it would fill them in. */
function fill(expression: string): string {
  return expression.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, '.*');
}
