import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { findUnknown, knownMetrics } from './testing/known-metrics.ts';
import { OBSERVABILITY, readRules, type Rule } from './testing/read-rules.ts';

const RUNBOOKS = `${OBSERVABILITY}../../docs/runbooks/`;

let rules: Rule[];
let alerts: string[];
beforeAll(async () => {
  rules = await readRules();
  alerts = rules.flatMap(({ alert }) => alert ?? []);
});

describe('rules of Prometheus', () => {
  it('read metrics and labels that exist', async () => {
    const known = await knownMetrics(rules);
    expect(rules.flatMap(({ expr }) => findUnknown(expr, known))).toEqual([]);
    expect(findUnknown('sum by (key) (rate(parley_turns_total{status="x", user="y"}[5m])) + parley_turn_total', known)).toEqual([
      'there is no parley_turn_total',
      'parley_turns_total has no label user',
      'nothing has the label key',
    ]);
  });

  it('say what is wrong, how bad it is and where to read on', () => {
    for (const { alert, labels, annotations } of rules) {
      if (!alert) continue;
      expect(alert).toMatch(/^Parley[A-Z]\w+$/);
      expect(labels['severity']).toMatch(/^(critical|warning|info)$/);
      expect(Object.keys(annotations).sort()).toEqual(['description', 'runbook_url', 'summary']);
      expect(annotations['runbook_url']).toBe(`docs/runbooks/${alert}.md`);
    }
    expect(new Set(alerts).size).toBe(alerts.length);
  });

  it('have a runbook for each alert, which shows its expression, and no other', async () => {
    const pages = (await readdir(RUNBOOKS)).filter((name) => name !== 'README.md');
    expect(pages.sort()).toEqual(alerts.map((name) => `${name}.md`).sort());
    const index = await readFile(`${RUNBOOKS}README.md`, 'utf8');
    for (const { alert, expr } of rules) {
      if (!alert) continue;
      const page = await readFile(`${RUNBOOKS}${alert}.md`, 'utf8');
      expect(page).toContain(`# ${alert}\n`);
      expect(page).toContain(`\`\`\`promql\n${expr}\n\`\`\``);
      for (const title of ['What users notice', 'How to see it', 'What to do', 'When it is over'])
        expect(page).toContain(`\n## ${title}\n`);
      expect(index).toContain(`[${alert}](${alert}.md)`);
    }
  });

  it('name queries in runbooks that Prometheus could answer', async () => {
    const known = await knownMetrics(rules);
    const names = new RegExp(String.raw`\b(?:parley|gen_ai|nodejs|process)_[a-z0-9_]+\b(?!\.)`, 'g');
    for (const alert of alerts) {
      const page = await readFile(`${RUNBOOKS}${alert}.md`, 'utf8');
      expect([...page.matchAll(names)].map(([name]) => name).filter((name) => !known.has(name))).toEqual([]);
    }
  });

  it('have a test in which each alert fires and one in which it does not', async () => {
    const folder = `${OBSERVABILITY}prometheus/tests/`;
    const tests = await Promise.all((await readdir(folder)).map((name) => readFile(folder + name, 'utf8')));
    const cases = tests.flatMap((text) => (parse(text) as PromtoolTest).tests.flatMap(({ alert_rule_test }) => alert_rule_test));
    for (const alert of alerts) {
      const counts = cases.filter(({ alertname }) => alertname === alert).map(({ exp_alerts }) => exp_alerts.length);
      expect(counts.sort()).toEqual([0, 1]);
    }
  });
});

/** What is read of a file for `promtool test rules`. */
interface PromtoolTest {
  tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
}
