import { z } from 'zod';
import { type Manifest } from '../chart.ts';

const variable = z.object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z
    .object({
      secretKeyRef: z.object({ name: z.string(), key: z.string(), optional: z.boolean().default(false) }).optional(),
      fieldRef: z.object({ fieldPath: z.string() }).optional(),
    })
    .optional(),
});
const probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.string() }).optional(),
  grpc: z.object({ port: z.int() }).optional(),
  periodSeconds: z.int(),
  timeoutSeconds: z.int(),
  failureThreshold: z.int(),
});
const container = z.object({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()).default([]),
  env: z.array(variable).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.int() }) }) }).optional(),
  securityContext: z.record(z.string(), z.unknown()).default({}),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })).default([]),
  resources: z.object({ requests: z.record(z.string(), z.unknown()), limits: z.record(z.string(), z.unknown()) }),
});
const podSpec = z.object({
  serviceAccountName: z.string().optional(),
  automountServiceAccountToken: z.boolean().optional(),
  terminationGracePeriodSeconds: z.int().optional(),
  securityContext: z.record(z.string(), z.unknown()).default({}),
  topologySpreadConstraints: z.array(z.object({ topologyKey: z.string() })).default([]),
  initContainers: z.array(container).default([]),
  containers: z.array(container).min(1),
});
const pod = z.object({ metadata: z.object({ labels: z.record(z.string(), z.string()) }), spec: podSpec });

/** A container as the chart renders it. */
export type RenderedContainer = z.infer<typeof container>;

/** A pod as the chart renders it, with the process in it. */
export interface RenderedPod {
  readonly component: string;
  /** Of the Deployment. */
  readonly workload: Manifest;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: z.infer<typeof podSpec>;
  readonly container: RenderedContainer;
}

/** The pods of all components. */
export function readPods(manifests: readonly Manifest[]): RenderedPod[] {
  return manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map((workload) => {
      const { template } = z.object({ template: pod }).parse(workload['spec']);
      const [first] = template.spec.containers;
      if (!first) throw new Error(`${workload.metadata.name} has no container`);
      return { component: first.name, workload, labels: template.metadata.labels, spec: template.spec, container: first };
    });
}

/** The containers of the job that migrates, in their order; none when there is no job. */
export function readMigrators(manifests: readonly Manifest[]): RenderedContainer[] {
  const job = manifests.find(({ kind }) => kind === 'Job');
  if (!job) return [];
  const { spec } = z.object({ template: pod }).parse(job['spec']).template;
  return [...spec.initContainers, ...spec.containers];
}

/**
 * The environment that a process gets, with `secrets` by key. A secret that may be missing and is not given stays out.
 * @throws Error for a needed secret that is not given
 */
export function toEnvironment({ env }: RenderedContainer, secrets: Readonly<Record<string, string>>): Record<string, string> {
  const values = env.flatMap(({ name, value, valueFrom }): [string, string][] => {
    if (value !== undefined) return [[name, value]];
    const secret = valueFrom?.secretKeyRef;
    if (!secret) return [[name, valueFrom?.fieldRef?.fieldPath ?? '']];
    const given = secrets[secret.key];
    if (given === undefined && !secret.optional) throw new Error(`${name}: the secret ${secret.name} has no ${secret.key}`);
    return given === undefined ? [] : [[name, given]];
  });
  return Object.fromEntries(values);
}
