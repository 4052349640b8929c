import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Gateway } from './parley.ts';
import { CLI_SCRIPT, ROOT } from './paths.ts';
import { plainEnvironment } from './start-process.ts';

/** Runs `npx parley` against a gateway and gives what it prints. Rejects when it fails. */
export async function parleyCommand({ dataDir, operatorKey }: Gateway, ...args: string[]): Promise<string> {
  const env = { ...plainEnvironment(), PARLEY_DATA_DIR: dataDir, PARLEY_OPERATOR_KEY: operatorKey };
  return (await promisify(execFile)(process.execPath, [CLI_SCRIPT, ...args], { cwd: ROOT, env })).stdout;
}
