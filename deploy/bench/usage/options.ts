import { Command } from 'commander';
import { number, sizes } from '../option-parsers.ts';

/** What the command line asks of the reports. */
export interface UsageOptions {
  /** Records, ascending; the others are compared with the first. */
  records: number[];
  rounds: number;
  /** Of each period in a round. */
  reports: number;
}

/** Parses the arguments behind `usage`; commander prints and exits on `--help` and on a mistake. */
export function parseUsageOptions(args: readonly string[]): UsageOptions {
  const command = new Command('npm run bench -- usage')
    .description('What a usage report costs with few and with many records.')
    .option('--records <sizes>', 'records of usage, ascending', sizes, [1_000, 10_000, 100_000, 1_000_000, 10_000_000])
    .option('--rounds <n>', 'rounds; the cheapest is reported', number(1, 50), 5)
    .option('--reports <n>', 'reports of each period in a round', number(10, 10_000), 300);
  command.exitOverride();
  return command.parse(args, { from: 'user' }).opts<UsageOptions>();
}
