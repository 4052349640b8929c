import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import pg from 'pg';
import { getFreePort } from '../../local/supervisor/ports.ts';
import { type OwnInfra, startOwnInfra } from '../harness/own-infra.ts';
import { START_MS } from '../harness/parley.ts';
import { type Rendered, renderPods, servesGrpc } from '../harness/pods.ts';
import { runStart, type StartProcess } from '../harness/start-process.ts';

/** Seven processes, one after the other. */
const MIGRATED_MS = 7 * START_MS;

describe('migrations of the chart', () => {
  let infra: OwnInfra;
  let chart: Rendered;
  const started: StartProcess[] = [];
  beforeAll(async () => {
    infra = await startOwnInfra();
    const DATABASE_URL = await emptyDatabase(infra.database.url);
    chart = await renderPods({}, { ...infra.env, DATABASE_URL, PARLEY_SECRET_KEYS: 'unused', PARLEY_OPERATOR_KEY: 'unused' });
  }, START_MS);
  afterAll(async () => {
    for (const one of started) one.signal('SIGTERM');
    await Promise.all(started.map(({ exited }) => exited));
    await infra?.dispose();
  });

  function run(env: Record<string, string>, args: readonly string[]): StartProcess {
    const one = runStart(env, [process.execPath, ...args]);
    started.push(one);
    return one;
  }

  it(
    'are applied by processes that do nothing else, while a pod waits for its schema',
    async () => {
      const PARLEY_LISTEN = `127.0.0.1:${await getFreePort()}`;
      const pod = run({ ...chart.pod('conversation').env, PARLEY_LISTEN, PARLEY_METRICS_LISTEN: 'off' }, [
        'deploy/dist/bundle/conversation.js',
      ]);
      await waitFor(() => pod.stdout().includes('waiting for migrations'), { timeoutMs: START_MS });
      for (const { name, args, env } of chart.migrators) {
        const migrator = run(env, args);
        const exit = await migrator.exited;
        expect({ name, ...exit, stderr: migrator.stderr() }).toEqual({ name, code: 0, signal: null, stderr: '' });
        expect(migrator.stdout()).toContain('schema is up to date');
      }
      await waitFor(() => servesGrpc(PARLEY_LISTEN), { timeoutMs: START_MS });
    },
    MIGRATED_MS,
  );
});

/** Creates a database without any schema beside another one, and gives its URL. */
async function emptyDatabase(beside: string): Promise<string> {
  const client = new pg.Client({ connectionString: beside });
  await client.connect();
  try {
    await client.query('CREATE DATABASE empty TEMPLATE template0');
  } finally {
    await client.end();
  }
  const url = new URL(beside);
  url.pathname = '/empty';
  return url.href;
}
