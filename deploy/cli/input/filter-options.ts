import { type Command, Option } from 'commander';

/** What a list of people or workspaces is narrowed by. */
export interface FilterOptions {
  search?: string;
  status?: string;
}

/** The options for it; `where` says what is searched. */
export function addFilterOptions(command: Command, where: string): Command {
  return command
    .option('--search <text>', `only those with this text in their ${where}, or with this id`)
    .addOption(new Option('--status <status>', 'only those that stand so').choices(['active', 'disabled']));
}
