import { Command } from 'commander';
import { number } from '../option-parsers.ts';

/** What the command line asks of the console. */
export interface ConsoleOptions {
  keys: number;
  conversations: number;
  connections: number;
  /** Characters of the longest message. */
  message: number;
  /** First screens, of which the median is reported. */
  rounds: number;
  jsonFile: string | undefined;
  markdownFile: string | undefined;
}

interface Flags extends Omit<ConsoleOptions, 'jsonFile' | 'markdownFile'> {
  /** In place of each of the counts. */
  rows?: number;
  json?: string;
  markdown?: string;
}

/** Parses the arguments behind `console`; commander prints and exits on `--help` and on a mistake. */
export function parseConsoleOptions(args: readonly string[]): ConsoleOptions {
  const command = new Command('npm run bench -- console')
    .description('What the console takes in a browser, with a full database.')
    .option('--keys <n>', 'keys of the workspace', number(1, 10_000_000), 380_000)
    .option('--conversations <n>', 'conversations of the person', number(1, 10_000_000), 1_000_000)
    .option('--connections <n>', 'connections of the workspace', number(1, 100_000), 10_000)
    .option('--message <n>', 'characters of the longest message', number(1, 10_000_000), 1_000_000)
    .option('--rows <n>', 'so many keys, conversations and connections: a first look', number(1, 10_000_000))
    .option('--rounds <n>', 'of first screens and interactions; medians are reported', number(1, 50), 5)
    .option('--json <file>', 'writes every figure')
    .option('--markdown <file>', 'writes the tables as Markdown');
  command.exitOverride();
  const { rows, json, markdown, ...flags } = command.parse(args, { from: 'user' }).opts<Flags>();
  const counts = rows === undefined ? {} : { keys: rows, conversations: rows, connections: rows };
  return { ...flags, ...counts, jsonFile: json, markdownFile: markdown };
}
