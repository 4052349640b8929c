import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { connectionSchema, projectSchema } from '../../gateway/response-schemas.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { formatTable } from '../../output/format-table.ts';

/** `parley projects list`. */
export function listProjects(context: CliContext): Command {
  return new Command('list')
    .description('List upstream projects and whether the workspace may select them')
    .addOption(workspaceOption())
    .action(async ({ workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      const projects = await gateway.listAll('/admin/v1/projects', projectSchema, { workspace_id: workspace });
      const connections =
        projects.length === 0 ? [] : await gateway.listAll('/admin/v1/connections', connectionSchema, { workspace_id: workspace });
      const labels = new Map(connections.map(({ id, label }) => [id, label]));
      const rows = projects.map(({ id, name, slug, bound, is_default, effective_memory_policy, upstream_account_id }) => {
        const memory = effective_memory_policy;
        return [
          slug,
          name,
          bound ? 'yes' : '',
          is_default ? 'yes' : '',
          memory,
          labels.get(upstream_account_id) ?? upstream_account_id,
          id,
        ];
      });
      context.print(projects, () => formatTable(['slug', 'name', 'bound', 'default', 'memory', 'connection', 'id'], rows));
    });
}
