import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { emptyResponseSchema } from '../../gateway/client.ts';
import { workspaceOption } from '../../input/workspace-option.ts';

/** `parley internal-projects remove`. */
export function removeInternalProject(context: CliContext): Command {
  return new Command('remove')
    .description('Delete an internal project; keys that are bound to it must be revoked before')
    .argument('<slug>', 'its name')
    .addOption(workspaceOption())
    .action(async (slug: string, { workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      const path = `/admin/v1/internal-projects/${encodeURIComponent(slug)}`;
      await gateway.call('DELETE', path, emptyResponseSchema, { query: { workspace_id: workspace } });
      context.print({ slug, removed: true }, () => `Removed ${slug}.`);
    });
}
