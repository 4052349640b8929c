import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { emptyResponseSchema } from '../../gateway/client.ts';
import { workspaceOption } from '../../input/workspace-option.ts';

/** `parley profiles remove`. */
export function removeProfile(context: CliContext): Command {
  return new Command('remove')
    .description('Delete a route profile')
    .argument('<slug>', 'its name')
    .addOption(workspaceOption())
    .action(async (slug: string, { workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      await gateway.call('DELETE', `/admin/v1/route-profiles/${encodeURIComponent(slug)}`, emptyResponseSchema, {
        query: { workspace_id: workspace },
      });
      context.print({ slug, removed: true }, () => `Removed ${slug}.`);
    });
}
