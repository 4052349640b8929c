import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';

const rule = z.strictObject({
  record: z.string().optional(),
  alert: z.string().optional(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.record(z.string(), z.string()).default({}),
  annotations: z.record(z.string(), z.string()).default({}),
});
const file = z.object({ groups: z.array(z.object({ name: z.string(), rules: z.array(rule) })) });

/** A rule of Prometheus: it records a series, or is an alert. */
export type Rule = z.infer<typeof rule>;

/** The folder with rules, dashboards and configurations. */
export const OBSERVABILITY = fileURLToPath(new URL('..', import.meta.url));

/** Every rule of `prometheus/rules`. */
export async function readRules(): Promise<Rule[]> {
  const folder = `${OBSERVABILITY}prometheus/rules/`;
  const texts = await Promise.all((await readdir(folder)).sort().map((name) => readFile(folder + name, 'utf8')));
  return texts.flatMap((text) => file.parse(parse(text)).groups.flatMap(({ rules }) => rules));
}
