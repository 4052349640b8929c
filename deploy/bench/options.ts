import { Command } from 'commander';
import { list, number, sizes } from './option-parsers.ts';
import { type Scenario, SCENARIOS } from './results.ts';
import { type Settings, SUSTAINED_SECONDS } from './run/settings.ts';
import { FURTHER_TARGETS, TARGETS } from './targets/index.ts';
import { type Target } from './targets/target.ts';

/** Length of windows that are not flat out, in s. */
const CALM_SECONDS = 4;

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
  seconds?: number;
  warm: number;
  connections: number;
  turns: number;
  streams: number;
  idle: number;
  stored: number[];
  only: Scenario[];
  targets: Target[];
  json?: string;
  markdown?: string;
}

/** Parses the arguments behind the command's name, `scenarios` being what runs without `--only`; commander prints and exits on `--help` and on a mistake. */
export function parseOptions(args: readonly string[], scenarios: readonly Scenario[] = SCENARIOS): Options {
  const all = [...TARGETS, ...FURTHER_TARGETS];
  const names = all.map(({ name }) => name);
  const command = new Command('npm run bench --')
    .description('Measures Parley beside its peers, in one run on this machine.')
    .option('--rounds <n>', 'rounds; medians are reported', number(1, 50), 5)
    .option('--seconds <s>', `length of all windows; default ${SUSTAINED_SECONDS} flat out, ${CALM_SECONDS} otherwise`, number(0.5, 60))
    .option('--warm <s>', 'load right before each window', number(0.1, 30), 2)
    .option('--connections <n>', 'connections of the flat-out load', number(1, 1_000), 32)
    .option('--turns <n>', 'turns of a window of the cost scenario', number(100, 1_000_000), 6_000)
    .option('--streams <n>', 'open streams of the memory scenario', number(1, 5_000), 1_000)
    .option('--idle <s>', 'rest of the idle scenario', number(1, 600), 60)
    .option('--stored <sizes>', 'stored conversations, ascending', sizes, [10, 1_000, 100_000, 1_000_000])
    .option(
      '--only <scenarios>',
      SCENARIOS.join(','),
      list<Scenario>((name) => SCENARIOS.find((known) => known === name)),
      [...scenarios],
    )
    .option(
      '--targets <targets>',
      names.join(','),
      list((name) => all.find((known) => known.name === name)),
      [...TARGETS],
    )
    .option('--json <file>', 'writes every window and figure')
    .option('--markdown <file>', 'writes the tables as Markdown');
  command.exitOverride();
  const flags = command.parse(args, { from: 'user' }).opts<Flags>();
  const { rounds, seconds, warm, connections, turns, streams, idle, stored } = flags;
  return {
    scenarios: SCENARIOS.filter((scenario) => flags.only.includes(scenario)),
    targets: all.filter((target) => flags.targets.includes(target)),
    settings: {
      rounds,
      throughputSeconds: seconds ?? SUSTAINED_SECONDS,
      seconds: seconds ?? CALM_SECONDS,
      warmSeconds: warm,
      connections,
      turns,
      streams,
      idleSeconds: idle,
      storedSizes: stored,
    },
    jsonFile: flags.json,
    markdownFile: flags.markdown,
  };
}
