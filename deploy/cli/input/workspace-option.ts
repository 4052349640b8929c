import { Option } from 'commander';

/** The option of commands that concern one workspace; without it the gateway takes the default workspace. */
export function workspaceOption(): Option {
  return new Option('--workspace <id>', 'id of the workspace (default: the one that exists from the start)');
}
