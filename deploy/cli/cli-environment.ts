import { type Env } from '@parley/kit/config/read-config';
import { type Readable, type Writable } from 'node:stream';

/** Environment variables, folder, streams and clock of a run of the command line; tests give their own. */
export interface CliEnvironment {
  env: Env;
  /** The folder that relative paths start from. */
  cwd: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable;
  nodeVersion: string;
  now: () => number;
}

/** Takes them from the Node.js process. */
export function toCliEnvironment(process: NodeJS.Process): CliEnvironment {
  const { env, stdin, stdout, stderr, versions } = process;
  return { env, cwd: process.cwd(), stdin, stdout, stderr, nodeVersion: versions.node, now: Date.now };
}
