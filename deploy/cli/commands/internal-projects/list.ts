import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { internalProjectSchema } from '../../gateway/response-schemas.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { formatTable } from '../../output/format-table.ts';

/** `parley internal-projects list`. */
export function listInternalProjects(context: CliContext): Command {
  return new Command('list')
    .description('List internal projects')
    .addOption(workspaceOption())
    .action(async ({ workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      const projects = await gateway.listAll('/admin/v1/internal-projects', internalProjectSchema, { workspace_id: workspace });
      context.print(projects, () =>
        formatTable(
          ['slug', 'name', 'policy'],
          projects.map(({ slug, name, policy }) => [slug, name, policy]),
        ),
      );
    });
}
