import { Command } from 'commander';
import { list, number, sizes } from './option-parsers.ts';
import { type Scenario, SCENARIOS } from './results.ts';
import { type Settings } from './run/settings.ts';
import { TARGETS } from './targets/index.ts';
import { type Target } from './targets/target.ts';

/** What the command line asks for. */
export interface Options {
  scenarios: Scenario[];
  targets: Target[];
  settings: Settings;
  jsonFile: string | undefined;
  markdownFile: string | undefined;
}

interface Flags {
  rounds: number;
  seconds: number;
  warm: number;
  connections: number;
  streams: number;
  idle: number;
  stored: number[];
  only: Scenario[];
  targets: Target[];
  json?: string;
  markdown?: string;
}

/** Parses the arguments behind the command's name; commander prints and exits on `--help` and on a mistake. */
export function parseOptions(args: readonly string[]): Options {
  const names = TARGETS.map(({ name }) => name);
  const command = new Command('npm run bench --')
    .description('Measures Parley beside its peers, in one run on this machine.')
    .option('--rounds <n>', 'rounds; medians are reported', number(1, 50), 5)
    .option('--seconds <s>', 'length of a window', number(0.5, 60), 4)
    .option('--warm <s>', 'load right before each window', number(0.1, 30), 2)
    .option('--connections <n>', 'connections of the flat-out load', number(1, 1_000), 32)
    .option('--streams <n>', 'open streams of the memory scenario', number(1, 5_000), 1_000)
    .option('--idle <s>', 'rest of the idle scenario', number(1, 600), 60)
    .option('--stored <sizes>', 'stored conversations, ascending', sizes, [10, 1_000, 100_000, 1_000_000])
    .option(
      '--only <scenarios>',
      SCENARIOS.join(','),
      list<Scenario>((name) => SCENARIOS.find((known) => known === name)),
      [...SCENARIOS],
    )
    .option(
      '--targets <targets>',
      names.join(','),
      list((name) => TARGETS.find((known) => known.name === name)),
      [...TARGETS],
    )
    .option('--json <file>', 'writes every window and figure')
    .option('--markdown <file>', 'writes the tables as Markdown');
  command.exitOverride();
  const flags = command.parse(args, { from: 'user' }).opts<Flags>();
  const { rounds, seconds, warm, connections, streams, idle, stored } = flags;
  return {
    scenarios: SCENARIOS.filter((scenario) => flags.only.includes(scenario)),
    targets: TARGETS.filter((target) => flags.targets.includes(target)),
    settings: { rounds, seconds, warmSeconds: warm, connections, streams, idleSeconds: idle, storedSizes: stored },
    jsonFile: flags.json,
    markdownFile: flags.markdown,
  };
}
