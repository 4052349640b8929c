import { waitFor } from '@parley/kit/testing/wait-for';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { startServer } from '../../local/embedded/start-server.ts';
import { getFreePort } from '../../local/supervisor/ports.ts';
import { findPrometheus } from '../../observability/find-prometheus.ts';
import { OBSERVABILITY } from '../../observability/testing/read-rules.ts';
import { type Gateway } from './parley.ts';
import { SHARED_CACHE } from './paths.ts';

/** A series at one moment. */
export interface Sample {
  labels: Record<string, string>;
  value: number;
}

/** A Prometheus that scrapes a gateway with the rules of deploy/observability. */
export interface Prometheus {
  /** What an expression has now. */
  query(expression: string): Promise<Sample[]>;
  /** The sum of what an expression has now; 0 for nothing. */
  sum(expression: string): Promise<number>;
  /** Whether the expression of an alert has been true since a moment (`Date.now()`), as the rules were evaluated; `for` does not count. */
  wasTrue(alert: string, since: number): Promise<boolean>;
  /** Waits until the expression of an alert has been true after this call, and calls `provoke` again and again until then. */
  untilTrue(alert: string, provoke?: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

/** Longer than a process takes to answer a scrape while its database hangs. */
const SCRAPE_S = 3;
const READY_MS = 60_000;
/** Rules look at rates of minutes, and a busy machine scrapes late. */
export const TRUE_MS = 150_000;

const answer = z.object({
  data: z.object({ result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })) }),
});
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Starts it; resolves when it answers. */
export async function startPrometheus({ run }: Gateway): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-prometheus-'));
  const { prometheus } = await findPrometheus({ cacheDir: SHARED_CACHE, log });
  const config = join(folder, 'prometheus.yml');
  await copyRules(join(folder, 'rules'));
  await writeFile(config, stringify(configuration(run.metrics_urls)));
  const port = await getFreePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startServer({
    name: 'prometheus',
    command: prometheus,
    args: [`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=127.0.0.1:${port}`],
    spawnOptions: { cwd: folder },
    stopSteps: [{ signal: 'SIGTERM', waitMs: 10_000 }],
    logFile: join(folder, 'prometheus.log'),
    failurePattern: /level=error|err=/,
    checkReady: async () => {
      const { ok } = await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(1_000) });
      if (!ok) throw new Error('not ready');
    },
    readyTimeoutMs: READY_MS,
  });
  return {
    ...reader(url),
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function reader(url: string): Omit<Prometheus, 'stop'> {
  const query = async (expression: string): Promise<Sample[]> => {
    const response = await fetch(`${url}/api/v1/query`, { method: 'POST', body: new URLSearchParams({ query: expression }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${expression}: ${text}`);
    return answer.parse(JSON.parse(text)).data.result.map(({ metric, value: [, value] }) => ({ labels: metric, value: Number(value) }));
  };
  const wasTrue = async (alert: string, since: number) => {
    const seconds = Math.max(1, Math.floor((Date.now() - since) / 1_000));
    return (await query(`last_over_time(ALERTS{alertname="${alert}"}[${seconds}s])`)).length > 0;
  };
  return {
    query,
    sum: async (expression) => (await query(expression)).reduce((total, { value }) => total + value, 0),
    wasTrue,
    untilTrue: async (alert, provoke) => {
      const since = Date.now();
      const isTrue = async () => {
        await provoke?.();
        return wasTrue(alert, since);
      };
      await waitFor(isTrue, { timeoutMs: TRUE_MS, everyMs: 250 }).catch((cause: unknown) => {
        throw new Error(`${alert} was not true`, { cause });
      });
    },
  };
}

async function copyRules(target: string): Promise<void> {
  await mkdir(target);
  const source = join(OBSERVABILITY, 'prometheus/rules');
  for (const name of await readdir(source)) await copyFile(join(source, name), join(target, name));
}

function configuration(metricsUrls: Record<string, string>): unknown {
  const targets = Object.entries(metricsUrls).map(([process, url]) => ({ targets: [new URL(url).host], labels: { process } }));
  return {
    global: { scrape_interval: `${SCRAPE_S}s`, scrape_timeout: `${SCRAPE_S}s`, evaluation_interval: '1s' },
    rule_files: ['rules/*.yml'],
    scrape_configs: [{ job_name: 'parley', static_configs: targets }],
  };
}
