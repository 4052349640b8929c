import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { workspaceSchema } from '../../gateway/response-schemas.ts';

/** `parley workspaces create`. */
export function createWorkspace(context: CliContext): Command {
  return new Command('create')
    .description('Create a workspace, without keys or accounts')
    .argument('<name>', 'what it is called')
    .action(async (name: string) => {
      const created = await (await context.gateway()).call('POST', '/admin/v1/workspaces', workspaceSchema, { body: { name } });
      context.print(created, () => `Created ${created.name}: ${created.id}`);
    });
}
