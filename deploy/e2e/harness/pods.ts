import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { type ChartValues, renderChart } from '../../helm/chart.ts';
import { mergeValues } from '../../helm/check-chart.ts';
import { readMigrators, readPods, type RenderedContainer, type RenderedPod, toEnvironment } from '../../helm/testing/rendered-pods.ts';
import { openChart } from '../../helm/testing/the-chart.ts';
import { REQUIRED_VALUES } from '../../helm/values-matrix.ts';
import { ROOT } from './paths.ts';

type Env = Record<string, string>;

/** How a kubelet looks at a process; times in milliseconds. */
export interface Probe {
  /** Of HTTP; undefined where the health service of gRPC is asked. */
  path: string | undefined;
  everyMs: number;
  timeoutMs: number;
  /** In a row, until it counts. */
  failures: number;
}

/** What the chart says of the pods of a component; times in milliseconds. */
export interface Pod {
  /** Of the process, with the secrets in it. */
  env: Env;
  readiness: Probe;
  /** How long a pod that is to end works as before. */
  preStopMs: number;
  /** How long it then has before it is killed. */
  graceMs: number;
}

/** A process that migrates one schema and ends. */
interface Migrator {
  name: string;
  args: string[];
  env: Env;
}

/** What the chart renders. */
export interface Rendered {
  /** Throws where there is no such component. */
  pod: (component: string) => Pod;
  /** The steps of the job before a release, in their order. */
  migrators: Migrator[];
}

/** Renders the chart. `secrets` are those of the cluster, by key. */
export async function renderPods(values: ChartValues, secrets: Env): Promise<Rendered> {
  const own = { nats: { existingSecret: 'nats' } };
  const manifests = await renderChart(await openChart(), mergeValues(mergeValues(REQUIRED_VALUES, own), values));
  const pods = readPods(manifests);
  return {
    pod: (component) => {
      const found = pods.find((one) => one.component === component);
      if (!found) throw new Error(`the chart has no ${component}`);
      return toPod(found, secrets);
    },
    migrators: readMigrators(manifests).map((one) => ({ name: one.name, args: one.args, env: toEnvironment(one, secrets) })),
  };
}

/** Whether a service says of itself that it serves, as a probe over gRPC sees it. */
export function servesGrpc(at: string): Promise<boolean> {
  const env = { ...process.env, PARLEY_LISTEN: at };
  return new Promise((resolve) =>
    execFile(process.execPath, [join(ROOT, 'deploy/docker/health.mjs')], { env }, (error) => resolve(!error)),
  );
}

function toPod({ spec, container }: RenderedPod, secrets: Env): Pod {
  const preStopMs = (container.lifecycle?.preStop.sleep.seconds ?? 0) * 1_000;
  return {
    env: toEnvironment(container, secrets),
    readiness: toProbe(container),
    preStopMs,
    graceMs: (spec.terminationGracePeriodSeconds ?? 30) * 1_000 - preStopMs,
  };
}

function toProbe({ name, readinessProbe: probe }: RenderedContainer): Probe {
  if (!probe) throw new Error(`${name} has no readiness probe`);
  const { httpGet, periodSeconds, timeoutSeconds, failureThreshold: failures } = probe;
  return { path: httpGet?.path, everyMs: periodSeconds * 1_000, timeoutMs: timeoutSeconds * 1_000, failures };
}
