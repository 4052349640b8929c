import { CommanderError } from 'commander';
import { writeFile } from 'node:fs/promises';
import { cpus, platform, release } from 'node:os';
import { join } from 'node:path';
import { type ConsoleOptions, parseConsoleOptions } from './console/options.ts';
import { consoleMarkdown, consoleText, meetsGoals } from './console/report.ts';
import { type ConsoleResults } from './console/results.ts';
import { runConsole } from './console/run.ts';
import { type Options, parseOptions } from './options.ts';
import { stopEveryChild } from './process/child.ts';
import { pinSelf, planPinning } from './process/pinning.ts';
import { reportMarkdown, reportText } from './report.ts';
import { GOAL_SCENARIOS, type RunFacts } from './results.ts';
import { runBench } from './run/bench.ts';
import { Rig } from './run/rig.ts';
import { parseScalingOptions, type ScalingOptions } from './scaling/options.ts';
import { scales, scalingMarkdown } from './scaling/report.ts';
import { type ScalingResults } from './scaling/results.ts';
import { runScaling } from './scaling/run.ts';
import { runSearch } from './search/run.ts';
import { soakGraph } from './soak/graph.ts';
import { parseSoakOptions, type SoakOptions } from './soak/options.ts';
import { passed, soakText } from './soak/report.ts';
import { type SoakResults } from './soak/results.ts';
import { runSoak } from './soak/run.ts';
import { parseUsageOptions, type UsageOptions } from './usage/options.ts';
import { usageMarkdown } from './usage/report.ts';
import { runUsage } from './usage/run.ts';

const CACHE = join(import.meta.dirname, '../../../.bench-cache');
// A gateway drains before it stops.
const GRACE_MS = 45_000;

const SEARCHED_SIZES = [20_000, 100_000, 1_000_000];

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(args: readonly string[]): Promise<number> {
  if (platform() !== 'linux') throw new Error('the bench reads CPU and memory from /proc and runs on Linux only');
  const command = ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
  const [scenario, ...rest] = args;
  if (scenario === 'soak') return soak(parseSoakOptions(rest), command);
  if (scenario === 'search') return search(rest);
  if (scenario === 'console') return lookAtConsole(parseConsoleOptions(rest), command);
  if (scenario === 'scaling') return scaling(parseScalingOptions(rest), command);
  if (scenario === 'goals') return bench(parseOptions(rest, GOAL_SCENARIOS), command);
  return scenario === 'usage' ? usage(parseUsageOptions(rest), command) : bench(parseOptions(args), command);
}

async function bench(options: Options, command: string): Promise<number> {
  const results = await onRig(
    async (rig, run) => ({
      ...run,
      settings: options.settings,
      ...(await runBench(rig, options, say)),
    }),
    command,
  );
  process.stdout.write(reportText(results));
  if (options.jsonFile !== undefined) await writeFile(options.jsonFile, `${JSON.stringify(results, undefined, 2)}\n`);
  if (options.markdownFile !== undefined) await writeFile(options.markdownFile, reportMarkdown(results));
  // Speed that was bought with dropped work is no result.
  return results.verifications.every(({ ok }) => ok) ? 0 : 1;
}

async function soak(options: SoakOptions, command: string): Promise<number> {
  const results: SoakResults = await onRig(async (rig, run) => ({ ...run, ...(await runSoak(rig, options, say)) }), command);
  process.stdout.write(soakText(results));
  if (options.jsonFile !== undefined) await writeFile(options.jsonFile, `${JSON.stringify(results, undefined, 2)}\n`);
  if (options.svgFile !== undefined) await writeFile(options.svgFile, soakGraph(results));
  return results.runs.length > 0 && results.runs.every(passed) ? 0 : 1;
}

async function usage(options: UsageOptions, command: string): Promise<number> {
  const costs = await onRig((rig) => runUsage(rig, options, say), command);
  process.stdout.write(usageMarkdown(costs));
  return 0;
}

async function scaling(options: ScalingOptions, command: string): Promise<number> {
  const results: ScalingResults = await onRig(async (rig, run) => ({ ...run, ...(await runScaling(rig, options, say)) }), command);
  process.stdout.write(scalingMarkdown(results));
  if (options.jsonFile !== undefined) await writeFile(options.jsonFile, `${JSON.stringify(results, undefined, 2)}\n`);
  return scales(results) ? 0 : 1;
}

async function lookAtConsole(options: ConsoleOptions, command: string): Promise<number> {
  const results: ConsoleResults = await onRig(async (rig, run) => ({ ...run, ...(await runConsole(rig, options, say)) }), command);
  process.stdout.write(consoleText(results));
  if (options.jsonFile !== undefined) await writeFile(options.jsonFile, `${JSON.stringify(results, undefined, 2)}\n`);
  if (options.markdownFile !== undefined) await writeFile(options.markdownFile, consoleMarkdown(results));
  return meetsGoals(results) ? 0 : 1;
}

/** Measures searches of owners with as many messages as the arguments say. */
async function search(sizes: readonly string[]): Promise<number> {
  const messages = sizes.length > 0 ? sizes.map(Number) : SEARCHED_SIZES;
  if (!messages.every((size) => Number.isSafeInteger(size) && size > 0)) throw new Error('bench search takes numbers of messages');
  await runSearch(messages, (line) => void process.stdout.write(`${line}\n`));
  return 0;
}

/** Runs something on a rig that is stopped afterwards, whatever happens. */
async function onRig<T>(work: (rig: Rig, run: RunFacts) => Promise<T>, command: string): Promise<T> {
  const pinning = await planPinning();
  await pinSelf(pinning);
  const startedAt = new Date().toISOString();
  const rig = await Rig.start(pinning, CACHE);
  const end = async (): Promise<void> => {
    await rig.stop();
    await stopEveryChild(GRACE_MS);
  };
  const interrupted = (): void => void end().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  try {
    const machine = {
      cpu: cpus()[0]?.model ?? 'unknown processor',
      cores: cpus().length,
      node: process.version,
      kernel: `${platform()} ${release()}`,
      pinning: pinning.note,
    };
    return await work(rig, { startedAt, command, machine });
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
