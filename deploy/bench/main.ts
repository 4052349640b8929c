import { writeFile } from 'node:fs/promises';
import { cpus, platform, release } from 'node:os';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { type Options, parseOptions } from './options.ts';
import { stopEveryChild } from './process/child.ts';
import { planPinning } from './process/pinning.ts';
import { reportMarkdown, reportText } from './report.ts';
import { type Results } from './results.ts';
import { runBench } from './run/bench.ts';
import { Rig } from './run/rig.ts';

const CACHE = join(import.meta.dirname, '../../../.bench-cache');
// A gateway drains before it stops.
const GRACE_MS = 45_000;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  if (platform() !== 'linux') throw new Error('the bench reads CPU and memory from /proc and runs on Linux only');
  const results = await measure(options, ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' '));
  process.stdout.write(reportText(results));
  if (options.jsonFile !== undefined) await writeFile(options.jsonFile, `${JSON.stringify(results, undefined, 2)}\n`);
  if (options.markdownFile !== undefined) await writeFile(options.markdownFile, reportMarkdown(results));
  // Speed that was bought with dropped work is no result.
  return results.verifications.every(({ ok }) => ok) ? 0 : 1;
}

async function measure(options: Options, command: string): Promise<Results> {
  const pinning = await planPinning();
  const startedAt = new Date().toISOString();
  const rig = await Rig.start(pinning, CACHE);
  const end = async (): Promise<void> => {
    await rig.stop();
    await stopEveryChild(GRACE_MS);
  };
  const interrupted = (): void => void end().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  try {
    const measured = await runBench(rig, options, say);
    const machine = {
      cpu: cpus()[0]?.model ?? 'unknown processor',
      cores: cpus().length,
      node: process.version,
      kernel: `${platform()} ${release()}`,
      pinning: pinning.note,
    };
    return { startedAt, command, machine, settings: options.settings, ...measured };
  } finally {
    await end();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode;
  } else {
    say(`bench: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
