import { PassThrough, Readable } from 'node:stream';
import { runCommandLine } from '../run-command-line.ts';

/** What a run of the command line left behind. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** The moment in which tests happen. */
export const NOW = Date.parse('2026-03-01T12:00:00.000Z');

/** The key that `runCli` gives to the gateway. */
export const OPERATOR_KEY = 'gmk_live_operator0000000000';

/** Runs one command line against the gateway at `url`, with its own environment and standard input. */
export async function runCli(
  url: string,
  args: readonly string[],
  { env = {}, stdin = '' }: { env?: Record<string, string>; stdin?: string } = {},
): Promise<Outcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runCommandLine(args, {
    env: { PARLEY_URL: url, PARLEY_OPERATOR_KEY: OPERATOR_KEY, ...env },
    cwd: '/nowhere',
    stdin: Readable.from([stdin]),
    stdout,
    stderr,
    nodeVersion: '22.1.0',
    now: () => NOW,
  });
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

function text(stream: PassThrough): string {
  return ((stream.read() as Buffer | null) ?? '').toString();
}
