import { beforeAll, describe, expect, it } from '@jest/globals';
import { readActionsConfig } from '@parley/actions/config';
import { readAssetConfig } from '@parley/asset/config';
import { readAudioConfig } from '@parley/audio/config';
import { readChatRoutingConfig } from '@parley/chat-routing/config';
import { readConversationConfig } from '@parley/conversation/config';
import { readEdgeConfig } from '@parley/edge/config';
import { type Env } from '@parley/kit/config/read-config';
import { readTelemetryConfig } from '@parley/kit/telemetry/telemetry';
import { readUsageConfig } from '@parley/usage/config';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Chart, type ChartValues, type Manifest, renderChart } from './chart.ts';
import { mergeValues, CHART_VALUE_SETS } from './check-chart.ts';
import { readMigrators, readPods, toEnvironment } from './testing/rendered-pods.ts';
import { openChart } from './testing/the-chart.ts';
import { REQUIRED_VALUES } from './values-matrix.ts';

const READERS: Readonly<Record<string, (env: Env) => { migrate?: string }>> = {
  edge: readEdgeConfig,
  'chat-routing': readChatRoutingConfig,
  conversation: readConversationConfig,
  usage: readUsageConfig,
  asset: readAssetConfig,
  audio: readAudioConfig,
  actions: readActionsConfig,
};
const SECRETS = {
  DATABASE_URL: 'postgres://parley:geheim@postgres:5432/parley',
  NATS_URL: 'nats://me:geheim@nats:4222',
  PARLEY_SECRET_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  PARLEY_OPERATOR_KEY: 'gmk_live_abcdefghij0123456789',
  REDIS_URL: 'redis://:geheim@redis:6379',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'geheim',
};
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const folderOf = (component: string) => (component === 'edge' ? 'edge' : `services/${component}`);

let chart: Chart;
let manifests: Manifest[];
const render = (values: ChartValues) => renderChart(chart, mergeValues(REQUIRED_VALUES, values));
beforeAll(async () => {
  chart = await openChart();
  manifests = await render({});
});

/** Reads the configuration of every process as it would itself. */
function configurations(of: readonly Manifest[], secrets: Readonly<Record<string, string>> = SECRETS) {
  const read = readPods(of).map(({ component, container }) => {
    const env = toEnvironment(container, secrets);
    readTelemetryConfig(env);
    return [component, READERS[component]?.(env)] as const;
  });
  return Object.fromEntries(read) as Record<string, object>;
}

describe('the environment of the pods', () => {
  it.each([
    'the defaults',
    'everything at once',
    'settings and places of its own',
    'a volume for files',
    'another S3 server',
    'NATS with credentials',
  ])('is what every process accepts: %s', async (set) => {
    const read = configurations(await renderChart(chart, CHART_VALUE_SETS[set] ?? {}));
    expect(Object.keys(read).sort()).toEqual(Object.keys(READERS).sort());
  });

  it('names only variables that its process reads', async () => {
    const telemetry = await readFile(`${ROOT}services/kit/src/telemetry/telemetry.ts`, 'utf8');
    const everything = await renderChart(chart, CHART_VALUE_SETS['everything at once'] ?? {});
    for (const { component, container } of readPods(everything)) {
      const source = `${ROOT}${folderOf(component)}/src`;
      const files = (await readdir(source, { recursive: true })).filter((file) => /(^|\/|-)config\.ts$/.test(file));
      const texts = [telemetry, ...(await Promise.all(files.map((file) => readFile(`${source}/${file}`, 'utf8'))))];
      const known = new Set(texts.flatMap((text) => text.match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+(?=:)/g) ?? []));
      const unknown = container.env.map(({ name }) => name).filter((name) => !known.has(name) && !name.startsWith('AWS_'));
      expect({ component, unknown }).toEqual({ component, unknown: [] });
    }
  });

  it('has the times of the values', () => {
    const read = configurations(manifests);
    expect(read['edge']).toMatchObject({ lameDuckMs: 15_000, drainMs: 660_000, throttleStore: 'postgres', migrate: 'never' });
    expect(read['chat-routing']).toMatchObject({ drainMs: 660_000, migrate: 'never' });
  });

  it('says where the bucket is', async () => {
    const of = configurations(await renderChart(chart, CHART_VALUE_SETS['another S3 server'] ?? {}));
    const blobs = { kind: 's3', bucket: 'b', region: 'eu', endpoint: 'https://minio.example.com:9000', pathStyle: false };
    expect([of['asset'], of['audio']]).toEqual([expect.objectContaining({ blobs }), expect.objectContaining({ blobs })]);
    expect(configurations(manifests)['asset']).toMatchObject({ blobs: { kind: 's3', bucket: 'files' } });
  });

  it('lets a component have settings of its own over those of all', async () => {
    const values = { env: { PARLEY_TURN_MS: '15m', PARLEY_LOG_LEVEL: 'warn' }, components: { edge: { env: { PARLEY_TURN_MS: '5m' } } } };
    const of = configurations(await render(values));
    expect(of['edge']).toMatchObject({ turnDeadlineMs: 300_000, logLevel: 'warn' });
    expect(of['chat-routing']).toMatchObject({ turnMs: 900_000 });
  });

  it('holds no variable twice', () => {
    for (const { container } of readPods(manifests)) {
      const names = container.env.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('takes a first owner of the gateway from the secret', () => {
    const owner = { PARLEY_INIT_ADMIN_EMAIL: 'me@example.com', PARLEY_INIT_ADMIN_PASSWORD: 'long enough for it' };
    expect(configurations(manifests, { ...SECRETS, ...owner })['edge']).toMatchObject({ initAdmin: { email: 'me@example.com' } });
  });

  it('needs the secrets that nothing works without', () => {
    for (const key of ['DATABASE_URL', 'PARLEY_SECRET_KEYS', 'PARLEY_OPERATOR_KEY']) {
      const { [key]: _, ...others } = SECRETS as Record<string, string>;
      expect(() => configurations(manifests, others)).toThrow(`has no ${key}`);
    }
  });
});

describe('the entries', () => {
  it('are those of the processes', async () => {
    const folders = ['edge', ...(await readdir(`${ROOT}services`)).map((name) => `services/${name}`)];
    const starts = await Promise.all(
      folders.map(async (folder) => ((await readdir(`${ROOT}${folder}/src`)).includes('main.ts') ? folder : undefined)),
    );
    const entries = readPods(manifests).map(({ container }) => container.args);
    const bundles = starts.filter((folder) => folder !== undefined).map((folder) => [`deploy/dist/bundle/${basename(folder)}.js`]);
    expect(entries.sort()).toEqual(bundles.sort());
  });
});

describe('the job that migrates', () => {
  it('migrates the schema of every component, with the database only', () => {
    const migrators = readMigrators(manifests);
    const pods = readPods(manifests);
    expect(migrators.map(({ name }) => name).sort()).toEqual(pods.map(({ component }) => component).sort());
    for (const migrator of migrators) {
      const pod = pods.find(({ component }) => component === migrator.name);
      expect({ args: migrator.args, image: migrator.image }).toEqual({ args: pod?.container.args, image: pod?.container.image });
      expect(toEnvironment(migrator, { DATABASE_URL: 'x' })).toEqual({
        DATABASE_URL: 'x',
        PARLEY_MIGRATE: 'only',
        PARLEY_LOG_LEVEL: 'info',
      });
    }
  });

  it('runs before pods of the release are there or replaced', () => {
    const hooks = manifests.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade');
    const weight = (kind: string) => Number(hooks.find((hook) => hook.kind === kind)?.metadata.annotations?.['helm.sh/hook-weight']);
    expect(hooks.map(({ kind }) => kind).sort()).toEqual(['Job', 'NetworkPolicy', 'ServiceAccount']);
    expect(weight('ServiceAccount')).toBeLessThan(weight('Job'));
    expect(weight('NetworkPolicy')).toBeLessThan(weight('Job'));
  });

  it('is not there when processes migrate by themselves', async () => {
    const own = await render({ migrations: { enabled: false } });
    expect(readMigrators(own)).toEqual([]);
    expect(Object.values(configurations(own))).toEqual(Object.keys(READERS).map(() => expect.objectContaining({ migrate: 'start' })));
  });
});

describe('secrets', () => {
  it('are in no object of the release', async () => {
    const everything = await renderChart(chart, CHART_VALUE_SETS['everything at once'] ?? {});
    expect(everything.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const secretLike = /PASSWORD|SECRET|_KEY$|_KEYS$|ACCESS_KEY|DATABASE_URL|TOKEN$/;
    for (const { container } of readPods(everything)) {
      const given = container.env.filter(({ name, value }) => secretLike.test(name) && value !== undefined);
      expect(given).toEqual([]);
    }
  });
});
