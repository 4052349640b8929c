import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';

const run = promisify(execFile);

/** An object of Kubernetes as the chart renders it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [field: string]: unknown;
}

/** Values of the chart, as in a values file. */
export type ChartValues = Readonly<Record<string, unknown>>;

/** The chart and the Helm that reads it. */
export interface Chart {
  readonly helm: string;
  /** The folder with Chart.yaml. */
  readonly folder: string;
}

/** The name of the release and its namespace in everything that is rendered. */
const RELEASE = { name: 'parley', namespace: 'chat' } as const;

/** `helm template`: every object of the release. @throws Error with the last line of Helm when the values are refused */
export async function renderChart({ helm, folder }: Chart, values: ChartValues): Promise<Manifest[]> {
  const args = (file: string) => ['template', RELEASE.name, folder, '--namespace', RELEASE.namespace, '--values', file];
  const documents = parseAllDocuments(await withValues(values, (file) => call(helm, args(file))), { merge: true, uniqueKeys: true });
  const broken = documents.flatMap(({ errors }) => errors);
  if (broken[0]) throw broken[0];
  return documents.map((document) => document.toJS() as Manifest | null).filter((manifest) => manifest !== null);
}

/** `helm lint --strict`. @throws Error with what it says when the chart has a flaw */
export async function lintChart({ helm, folder }: Chart, values: ChartValues): Promise<void> {
  await withValues(values, (file) => call(helm, ['lint', '--strict', folder, '--values', file]));
}

async function withValues<T>(values: ChartValues, work: (file: string) => Promise<T>): Promise<T> {
  const temporary = await mkdtemp(join(tmpdir(), 'chart-'));
  try {
    await writeFile(join(temporary, 'values.yaml'), stringify(values));
    return await work(join(temporary, 'values.yaml'));
  } finally {
    await rm(temporary, { recursive: true });
  }
}

/** Helm names the symbolic links of the chart at every call; that is left out. */
async function call(helm: string, args: readonly string[]): Promise<string> {
  try {
    return (await run(helm, args, { maxBuffer: 64 * 1_024 ** 2, timeout: 120_000 })).stdout;
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
    const said = `${stderr}\n${stdout}`.split('\n').filter((line) => line.trim() !== '' && !line.includes('symbolic link'));
    throw new Error(said.join('\n'), { cause });
  }
}
