import { quantile } from '../measure/statistics.ts';
import { figure } from '../report/cells.ts';
import { renderMarkdown, type Table } from '../report/table.ts';
import { type ScalingResults, type ScalingWindow } from './results.ts';

/** What each added replica is to add of the rate of the first one. */
const GOAL = 0.9;

const percent = (part: number) => `${figure(part * 100)} %`;

/** The figures of one number of replicas: medians over the rounds. */
interface Step {
  replicas: number;
  perSecond: number;
  /** What the last of them adds, in rates of the first one. */
  added: number;
  edgeUsed: number;
  routingUsed: number;
  otherCores: number;
}

/** The steps from one replica to the most. */
export function toSteps(windows: readonly ScalingWindow[]): Step[] {
  const counts = [...new Set(windows.map(({ replicas }) => replicas))].sort((a, b) => a - b);
  const medianOf = (replicas: number, read: (window: ScalingWindow) => number) =>
    quantile(windows.filter((window) => window.replicas === replicas).map(read), 0.5);
  const rates = counts.map((replicas) => medianOf(replicas, ({ perSecond }) => perSecond));
  return counts.map((replicas, at) => ({
    replicas,
    perSecond: rates[at] ?? 0,
    added: ((rates[at] ?? 0) - (rates[at - 1] ?? 0)) / (rates[0] ?? 1),
    edgeUsed: medianOf(replicas, ({ edgeUsed }) => edgeUsed),
    routingUsed: medianOf(replicas, ({ routingUsed }) => routingUsed),
    otherCores: medianOf(replicas, ({ otherCores }) => otherCores),
  }));
}

/** Whether every replica added enough, every answer was right, and the record agrees. */
export function scales({ windows, verification }: ScalingResults): boolean {
  const isRight = windows.every(({ failures }) => Object.keys(failures).length === 0);
  return isRight && verification.ok && toSteps(windows).every(({ added }) => added >= GOAL);
}

/** The figures for a terminal and for `docs/scaling.md`. */
export function scalingMarkdown(results: ScalingResults): string {
  const { options, machine, command, windows, databaseBytesPerTurn, verification } = results;
  const table: Table = {
    title: 'Replicas of edge and chat-routing',
    columns: ['of each', 'turns/s', 'added, × the first', 'used of the edges’ shares', 'of chat-routing’s', 'everything else', 'goal'],
    rows: toSteps(windows).map(({ replicas, perSecond, added, edgeUsed, routingUsed, otherCores }) => [
      String(replicas),
      figure(perSecond),
      ...(replicas === 1 ? ['–'] : [figure(added, 2)]),
      ...[percent(edgeUsed), percent(routingUsed), `${percent(otherCores)} of a core`],
      replicas === 1 ? '' : added >= GOAL ? 'met' : 'MISSED',
    ]),
  };
  const shares = `${options.edge} % of a core for each edge, ${options.routing} % for each chat-routing, on any core`;
  const failed = windows.flatMap(({ failures }) => Object.entries(failures)).map(([reason, times]) => `FAILED: ${reason} (${times})`);
  return [
    `\`${command}\`: ${shares}; ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.kernel}; ${machine.pinning}; medians of ${options.rounds}, windows of ${options.seconds} s; ${verification.summary}`,
    '',
    renderMarkdown(table),
    `The database grew by ${figure(databaseBytesPerTurn)} bytes with each turn.`,
    ...failed,
  ].join('\n');
}
