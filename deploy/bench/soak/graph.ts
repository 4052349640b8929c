import { renderGraph, type Line, type Panel } from '../report/line-graph.ts';
import { type SoakResults, type SoakRun } from './results.ts';

const KIB_PER_MIB = 1024;

/** Draws memory and turns/s of every soaked target over time. */
export function soakGraph(results: SoakResults): string {
  const title = `${results.rate} mixed turns a second for ${results.seconds} s, everything on`;
  return renderGraph({ title, xLabel: 'seconds since the load began', panels: results.runs.flatMap(panelsOf) });
}

function panelsOf(run: SoakRun): Panel[] {
  const programs = [...new Set(run.samples.flatMap(({ memory }) => Object.keys(memory)))];
  const line = (name: string, y: (sample: SoakRun['samples'][number]) => number): Line => ({
    name,
    points: run.samples.map((sample) => ({ x: sample.at, y: y(sample) })),
  });
  return [
    {
      title: `${run.target}: private memory in MiB`,
      lines: programs.map((program) => line(program, ({ memory }) => (memory[program]?.privateKib ?? 0) / KIB_PER_MIB)),
    },
    {
      title: `${run.target}: turns per second`,
      lines: [
        line('answered', ({ answered }) => answered),
        line('broken off', ({ aborted }) => aborted),
        line('failed', ({ failed }) => failed),
      ],
    },
  ];
}
