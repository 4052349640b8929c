import { Command } from 'commander';
import { number } from '../option-parsers.ts';

/** What the command line asks of the replicas. */
export interface ScalingOptions {
  /** The most replicas of edge and of chat-routing; one and everything in between is measured too. */
  replicas: number;
  /** Percent of a core for each edge. */
  edge: number;
  /** Percent of a core for each chat-routing. */
  routing: number;
  rounds: number;
  /** Length of a window. */
  seconds: number;
  /** Of each edge, one request in flight on each. */
  connections: number;
  jsonFile: string | undefined;
}

interface Flags extends Omit<ScalingOptions, 'jsonFile'> {
  json?: string;
}

/** Parses the arguments behind `scaling`; commander prints and exits on `--help` and on a mistake. */
export function parseScalingOptions(args: readonly string[]): ScalingOptions {
  const command = new Command('npm run bench -- scaling')
    .description('What one more edge and one more chat-routing add, each with a fixed share of a core.')
    .option('--replicas <n>', 'the most replicas of each', number(2, 8), 3)
    .option('--edge <percent>', 'of a core, for each edge', number(1, 100), 8)
    .option('--routing <percent>', 'of a core, for each chat-routing', number(1, 100), 14)
    .option('--rounds <n>', 'rounds; medians are reported', number(1, 50), 3)
    .option('--seconds <n>', 'length of each window', number(1, 600), 15)
    .option('--connections <n>', 'of each edge', number(1, 1_000), 256)
    .option('--json <file>', 'writes every window');
  command.exitOverride();
  const { json, ...flags } = command.parse(args, { from: 'user' }).opts<Flags>();
  return { ...flags, jsonFile: json };
}
