import { expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDataDir, removeDataDir } from '../harness/data-dir.ts';
import { START_MS } from '../harness/parley.ts';
import { runStart } from '../harness/start-process.ts';

it('says what it does and what answers, and that it stops, once', async () => {
  const dataDir = await makeDataDir({ database: false });
  const npm = runStart({ PARLEY_DATA_DIR: dataDir, PARLEY_PORT: '0', PARLEY_SANDBOX_DELAY_MS: '0' }, ['npm', 'start']);
  const readRun = async () => JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as { pid: number };
  const { pid } = await waitFor(() => readRun().catch(() => undefined), { timeoutMs: START_MS });
  await waitFor(() => npm.stdout().includes('Ctrl-C stops everything.'), { timeoutMs: START_MS });
  const [steps = '', banner = ''] = npm.stdout().split('Parley is ready.');
  expect(steps.match(/^(Creating|Starting) .* …$/gm)).toHaveLength(3);
  expect(steps).toContain('Publishing the example actions …');
  expect(banner).toMatch(/the sandbox.* not a language model/);
  expect(banner.trimStart()).toMatch(/^Console +http:\/\/127\.0\.0\.1:\d+\/console\/setup#[\w-]{43}\n/);
  for (const said of ['/docs-public', 'npx parley', dataDir]) expect(banner).toContain(said);
  // A terminal sends it to the whole group, and npm passes its own on.
  process.kill(pid, 'SIGINT');
  npm.signal('SIGINT');
  await npm.exited;
  expect(npm.stdout().split('Ctrl-C stops everything.')[1]?.trim().split(/\n+/)).toEqual(['Parley is stopping …', 'Parley has stopped.']);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  await removeDataDir(dataDir);
});
