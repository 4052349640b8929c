import { audioTable } from './report/audio-table.ts';
import { costTables } from './report/cost-table.ts';
import { goalTable } from './report/goal-table.ts';
import { hostileTable } from './report/hostile-table.ts';
import { idleTable } from './report/idle-table.ts';
import { latencyTable } from './report/latency-table.ts';
import { memoryTable } from './report/memory-table.ts';
import { storedTable } from './report/stored-table.ts';
import { renderMarkdown, renderText, type Table } from './report/table.ts';
import { throughputTable } from './report/throughput-table.ts';
import { type Results, type VerifiedRun } from './results.ts';
import { STATELESS_SECONDS } from './run/settings.ts';

/** More verifications of one target than this are summarised in one line. */
const FEW = 5;

/** Renders a run for the terminal. */
export function reportText(results: Results): string {
  const lines = [...facts(results), '', ...tables(results).map(renderText), ...outcome(results)];
  return `${lines.join('\n')}\n`;
}

/** Renders a run for docs/benchmarks.md. */
export function reportMarkdown(results: Results): string {
  const list = (lines: string[]): string => lines.map((line) => `- ${line}`).join('\n');
  const command = `Made with \`${results.command}\`.`;
  return [command, list(facts(results)), ...tables(results).map(renderMarkdown), list(outcome(results)), ''].join('\n\n');
}

function tables(results: Results): Table[] {
  const all = [
    ...costTables(results),
    throughputTable(results, 'requests'),
    throughputTable(results, 'streams'),
    throughputTable(results, 'burst'),
    latencyTable(results),
    memoryTable(results),
    idleTable(results),
    storedTable(results),
    audioTable(results),
    hostileTable(results),
    goalTable(results),
  ];
  return all.filter((table): table is Table => table !== undefined);
}

function facts(results: Results): string[] {
  const { machine, settings } = results;
  return [
    `${results.startedAt}, ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.kernel}; ${machine.pinning}`,
    `medians of ${settings.rounds} rounds; windows of ${settings.throughputSeconds} s flat out (${Math.min(settings.throughputSeconds, STATELESS_SECONDS)} s for targets without a record) and ${settings.seconds} s otherwise, after ${settings.warmSeconds} s of warm-up; ${settings.connections} connections flat out`,
    ...Object.entries(results.versions).map(([name, version]) => `${name}: ${version}`),
    ...Object.entries(results.notAvailable).map(([name, reason]) => `${name}: not available: ${reason}`),
  ];
}

function outcome(results: Results): string[] {
  const targets = [...new Set(results.verifications.map(({ target }) => target))];
  return targets.flatMap((target) => {
    const own = results.verifications.filter((run) => run.target === target);
    const good = own.filter(({ ok }) => ok);
    const wrong = own.filter(({ ok }) => !ok).map(lineOf);
    if (good.length <= FEW) return [...good.map(lineOf), ...wrong];
    const turns = good.reduce((sum, { answered }) => sum + answered, 0);
    return [`${target}: verified: ${turns} of ${turns} in ${good.length} checks`, ...wrong];
  });
}

function lineOf({ target, during, summary }: VerifiedRun): string {
  return `${target} (${during}): ${summary}`;
}
