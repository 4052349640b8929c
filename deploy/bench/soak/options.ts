import { Command } from 'commander';
import { list, number } from '../option-parsers.ts';
import { parleySeparate } from '../targets/parley-separate.ts';
import { parleySingle } from '../targets/parley-single.ts';
import { type Target } from '../targets/target.ts';

const TARGETS: readonly Target[] = [parleySingle, parleySeparate];

/** What the command line asks of a soak. */
export interface SoakOptions {
  seconds: number;
  /** Turns a second. */
  rate: number;
  targets: Target[];
  jsonFile: string | undefined;
  svgFile: string | undefined;
}

interface Flags {
  seconds: number;
  rate: number;
  targets: Target[];
  json?: string;
  svg?: string;
}

/** Parses the arguments behind `soak`; commander prints and exits on `--help` and on a mistake. */
export function parseSoakOptions(args: readonly string[]): SoakOptions {
  const names = TARGETS.map(({ name }) => name);
  const command = new Command('npm run bench -- soak')
    .description('Keeps Parley under a constant moderate load of mixed turns and watches its memory.')
    .option('--seconds <s>', 'length', number(10, 3_600), 600)
    .option('--rate <n>', 'turns a second', number(1, 1_000), 200)
    .option(
      '--targets <targets>',
      names.join(','),
      list((name) => TARGETS.find((known) => known.name === name)),
      [parleySingle],
    )
    .option('--json <file>', 'writes every sample')
    .option('--svg <file>', 'draws memory and turns/s over time');
  command.exitOverride();
  const { seconds, rate, targets, json, svg } = command.parse(args, { from: 'user' }).opts<Flags>();
  return { seconds, rate, targets: TARGETS.filter((target) => targets.includes(target)), jsonFile: json, svgFile: svg };
}
