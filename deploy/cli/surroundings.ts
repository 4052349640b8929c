import { type Readable, type Writable } from 'node:stream';
import { type Env } from '@parley/kit/config/read-config';

/** What a run of the command line sees of the world; tests give their own. */
export interface Surroundings {
  env: Env;
  /** The folder that relative paths start from. */
  cwd: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable;
  nodeVersion: string;
  now: () => number;
}

/** The real ones. */
export function surroundingsOf(process: NodeJS.Process): Surroundings {
  const { env, stdin, stdout, stderr, versions } = process;
  return { env, cwd: process.cwd(), stdin, stdout, stderr, nodeVersion: versions.node, now: Date.now };
}
