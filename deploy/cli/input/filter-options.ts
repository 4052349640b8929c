import { type Command, Option } from 'commander';

/** Options that filter a list of people or workspaces. */
export interface FilterOptions {
  search?: string;
  status?: string;
}

/** Adds the filter options to a command; `where` names what is searched. */
export function addFilterOptions(command: Command, where: string): Command {
  return command
    .option('--search <text>', `only those with this text in their ${where}, or with this id`)
    .addOption(new Option('--status <status>', 'only those that stand so').choices(['active', 'disabled']));
}
