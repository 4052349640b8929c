import { spreadOf } from '../measure/statistics.ts';
import { figure, range } from '../report/cells.ts';
import { renderText, type Table } from '../report/table.ts';
import { FLAT_PER_MINUTE } from './flatness.ts';
import { type SoakResults, type SoakRun } from './results.ts';

/** Whether nothing failed, the record agrees, and every line is flat. */
export function passed(run: SoakRun): boolean {
  return run.verification.ok && Object.keys(run.failures).length === 0 && run.flatness.every(({ flat }) => flat);
}

/** Renders a soak for the terminal. */
export function soakText(results: SoakResults): string {
  const { machine, seconds, rate } = results;
  const facts = [
    `${results.startedAt}, ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.kernel}; ${machine.pinning}`,
    `${seconds} s at ${rate} turns/s; flat: at most ${FLAT_PER_MINUTE * 100} % a minute (or 1 MiB) once warm (Theil–Sen, troughs of private memory)`,
    ...Object.entries(results.notAvailable).map(([name, reason]) => `${name}: not available: ${reason}`),
  ];
  return `${[...facts, '', ...results.runs.flatMap((run) => [renderText(table(run)), ...outcome(run), ''])].join('\n')}\n`;
}

function table(run: SoakRun): Table {
  return {
    title: `Memory of ${run.target}, all processes of each program`,
    columns: ['program', 'MiB once warm', 'MiB/min', '%/min', 'verdict'],
    rows: run.flatness.map(({ program, medianMib, slopeMibPerMinute, perMinute, flat }) => [
      program,
      figure(medianMib, 1),
      figure(slopeMibPerMinute, 2),
      figure(perMinute * 100, 2),
      flat ? 'flat' : 'NOT flat',
    ]),
  };
}

function outcome(run: SoakRun): string[] {
  const rates = spreadOf(run.samples.map(({ answered, aborted }) => answered + aborted));
  const failures = Object.entries(run.failures).map(([reason, count]) => `${count} × ${reason}`);
  return [
    `turns/s: median ${figure(rates?.median)}, ${range(rates)}; CPU: median ${figure(spreadOf(run.samples.map(({ cores }) => cores))?.median, 2)} cores`,
    `failures: ${failures.length > 0 ? failures.join(', ') : 'none'}`,
    `${run.target} (soak): ${run.verification.summary}`,
  ];
}
