import { quantile } from '../measure/statistics.ts';
import { figure, NOTHING } from '../report/cells.ts';
import { renderMarkdown, renderText, type Table } from '../report/table.ts';
import { type ConsoleResults, GOALS, type Interaction } from './results.ts';

const KB = 1024;
const median = (values: readonly number[]) => quantile(values, 0.5);
const verdict = (value: number, goal: number) => (value <= goal ? 'met' : 'MISSED');

function firstScreenTable({ firstScreens }: ConsoleResults): Table {
  return {
    title: 'First screen of the console, with an empty cache',
    columns: ['page', 'script, KB gzip', 'goal', '', 'shown, ms', 'goal', ''],
    rows: firstScreens.map(({ page, scriptBytes, shownMs }) => {
      const ms = median(shownMs);
      const { scriptBytes: bytes, firstScreenMs } = GOALS;
      return [
        page,
        ...[figure(scriptBytes / KB, 1), figure(bytes / KB), verdict(scriptBytes, bytes)],
        ...[figure(ms), figure(firstScreenMs), verdict(ms, firstScreenMs)],
      ];
    }),
  };
}

/** The longest of each round. */
function longest({ eventMs, taskMs }: Interaction): number[] {
  return eventMs.map((ms, round) => Math.max(ms, taskMs[round] ?? 0));
}

function interactionTable({ interactions }: ConsoleResults): Table {
  return {
    title: 'Longest interaction of each screen, medians of rounds',
    columns: ['screen', 'interaction', 'event, ms', 'task, ms', 'the longer', 'worst round', 'goal', ''],
    rows: interactions.map((one) => {
      const { screen, interaction, isThere, eventMs, taskMs } = one;
      const goal = figure(GOALS.interactionMs);
      if (!isThere) return [screen, interaction, NOTHING, NOTHING, NOTHING, NOTHING, goal, 'not offered'];
      const ms = longest(one);
      const figures = [median(eventMs), median(taskMs), median(ms), Math.max(...ms)].map((value) => figure(value));
      return [screen, interaction, ...figures, goal, verdict(median(ms), GOALS.interactionMs)];
    }),
  };
}

function facts({ options, machine, browser, command }: ConsoleResults): string {
  const { keys, conversations, connections, message } = options;
  const rows = `${figure(keys)} keys, ${figure(conversations)} conversations, ${figure(connections)} connections, a message of ${figure(message)} characters`;
  return `\`${command}\`: ${rows}; ${browser}; ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.kernel}`;
}

/** The figures for a terminal. */
export function consoleText(results: ConsoleResults): string {
  return [facts(results), '', renderText(firstScreenTable(results)), renderText(interactionTable(results))].join('\n');
}

/** The figures for `docs/benchmarks.md`. */
export function consoleMarkdown(results: ConsoleResults): string {
  return [facts(results), '', renderMarkdown(firstScreenTable(results)), renderMarkdown(interactionTable(results))].join('\n');
}

/** Whether every goal was met by what could be measured. */
export function meetsGoals({ firstScreens, interactions }: ConsoleResults): boolean {
  const first = firstScreens.every(
    ({ scriptBytes, shownMs }) => scriptBytes <= GOALS.scriptBytes && median(shownMs) <= GOALS.firstScreenMs,
  );
  return first && interactions.every((one) => !one.isThere || median(longest(one)) <= GOALS.interactionMs);
}
