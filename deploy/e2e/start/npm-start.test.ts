import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { makeDataDir, removeDataDir } from '../harness/data-dir.ts';
import { START_MS, STOP_MS } from '../harness/parley.ts';
import { runStart } from '../harness/start-process.ts';

it(
  'drains and stops when npm is told to stop',
  async () => {
    const dataDir = await makeDataDir({ database: false });
    const npm = runStart({ PARLEY_DATA_DIR: dataDir, PARLEY_PORT: '0', PARLEY_SANDBOX_DELAY_MS: '0' }, ['npm', 'start']);
    const readRun = async () => JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as { pid: number };
    const { pid } = await waitFor(() => readRun().catch(() => undefined), { timeoutMs: START_MS });
    npm.signal('SIGTERM');
    await npm.exited;
    expect(npm.stdout()).toContain('Parley has stopped.');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await removeDataDir(dataDir);
  },
  START_MS + STOP_MS,
);
