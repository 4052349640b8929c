import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliEnvironment } from '../cli-environment.ts';
import { checkDataDir } from './data-dir.ts';
import { checkNodeVersion } from './node-version.ts';

describe('checkDataDir', () => {
  let cwd: string;
  const look = (env: Record<string, string> = {}) => checkDataDir({ env, cwd } as unknown as CliEnvironment);

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'parley-doctor-'));
  });
  afterEach(() => rm(cwd, { recursive: true }));

  it('wants a folder that a Parley has run from', async () => {
    expect(await look()).toMatchObject({ state: 'failed', advice: expect.stringContaining('npm start') as unknown });
    await mkdir(join(cwd, '.parley', 'secrets'), { recursive: true, mode: 0o700 });
    expect(await look()).toEqual({ name: 'data folder', state: 'ok', detail: join(cwd, '.parley') });
  });

  it('warns of secrets that others can read', async () => {
    await mkdir(join(cwd, '.parley', 'secrets'), { recursive: true });
    await chmod(join(cwd, '.parley', 'secrets'), 0o755);
    expect(await look()).toMatchObject({ state: 'warning', advice: expect.stringContaining('chmod') as unknown });
  });

  it('is no concern of a gateway elsewhere', async () => {
    expect(await look({ PARLEY_URL: 'http://x' })).toMatchObject({ state: 'skipped' });
  });
});

describe('checkNodeVersion', () => {
  it.each([
    ['18.20.0', 'failed'],
    ['20.18.9', 'failed'],
    ['20.19.0', 'ok'],
    ['22.0.0', 'ok'],
  ])('judges %s as %s', (version, state) => {
    expect(checkNodeVersion(version).state).toBe(state);
  });
});
