import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locateGateway } from './locate.ts';

const KEY = 'gmk_live_fromfile';

describe('locateGateway', () => {
  let cwd: string;

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'parley-cli-'));
    await mkdir(join(cwd, '.parley', 'secrets'), { recursive: true });
    await writeFile(join(cwd, '.parley', 'run.json'), JSON.stringify({ url: 'http://127.0.0.1:8080', pid: 1 }));
    await writeFile(join(cwd, '.parley', 'secrets', 'operator-key'), `${KEY}\n`);
  });
  afterEach(() => rm(cwd, { recursive: true }));

  it('reads the data folder', async () => {
    expect(await locateGateway({ env: {}, cwd })).toEqual({
      url: 'http://127.0.0.1:8080',
      credential: { kind: 'operator', operatorKey: KEY },
    });
  });

  it('looks in PARLEY_DATA_DIR', async () => {
    expect(await locateGateway({ env: { PARLEY_DATA_DIR: '.parley' }, cwd })).toMatchObject({
      credential: { kind: 'operator', operatorKey: KEY },
    });
    await expect(locateGateway({ env: { PARLEY_DATA_DIR: 'elsewhere' }, cwd })).rejects.toThrow(
      /^no Parley runs in .*elsewhere; start one with npm start/,
    );
  });

  it('prefers the environment and keeps only the origin of a URL', async () => {
    const env = { PARLEY_URL: 'https://chat.example.com/v1/', PARLEY_OPERATOR_KEY: 'given' };
    expect(await locateGateway({ env, cwd })).toEqual({
      url: 'https://chat.example.com',
      credential: { kind: 'operator', operatorKey: 'given' },
    });
  });

  it('does not send the key of this machine to another', async () => {
    await expect(locateGateway({ env: { PARLEY_URL: 'https://chat.example.com' }, cwd })).rejects.toThrow(
      'run npx parley login, or set PARLEY_OPERATOR_KEY to the operator key of https://chat.example.com',
    );
    expect(await locateGateway({ env: { PARLEY_URL: 'http://localhost:9000' }, cwd })).toEqual({
      url: 'http://localhost:9000',
      credential: { kind: 'operator', operatorKey: KEY },
    });
  });

  it('says what is wrong in one line', async () => {
    await expect(locateGateway({ env: { PARLEY_URL: 'localhost:8080' }, cwd })).rejects.toThrow('PARLEY_URL must be an http or https URL');
    await rm(join(cwd, '.parley', 'secrets', 'operator-key'));
    await expect(locateGateway({ env: {}, cwd })).rejects.toThrow(/^no operator key in .*; set PARLEY_OPERATOR_KEY/);
    await writeFile(join(cwd, '.parley', 'run.json'), '{');
    await expect(locateGateway({ env: {}, cwd })).rejects.toThrow(/run\.json is damaged/);
  });
});
