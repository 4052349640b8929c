import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type CliEnvironment } from '../cli-environment.ts';
import { resolveDataDir } from '../gateway/locate.ts';
import { type Finding } from './finding.ts';

const OTHERS = 0o077;

/** Whether the data folder of a Parley on this machine is there, can be used, and keeps its secrets to itself. */
export async function checkDataDir(environment: CliEnvironment): Promise<Finding> {
  const name = 'data folder';
  if (environment.env['PARLEY_URL']) return { name, state: 'skipped', detail: 'PARLEY_URL names the gateway' };
  const folder = resolveDataDir(environment);
  const secrets = join(folder, 'secrets');
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const { mode } = await stat(secrets);
    if (mode & OTHERS) {
      return { name, state: 'warning', detail: `other users may look into ${secrets}`, advice: `run: chmod -R go-rwx ${secrets}` };
    }
    return { name, state: 'ok', detail: folder };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      return {
        name,
        state: 'failed',
        detail: `no Parley has run from ${folder}`,
        advice: 'run npm start, or set PARLEY_DATA_DIR or PARLEY_URL',
      };
    }
    return {
      name,
      state: 'failed',
      detail: `${folder} cannot be used (${code})`,
      advice: 'use the account that started Parley, or give this one access',
    };
  }
}
