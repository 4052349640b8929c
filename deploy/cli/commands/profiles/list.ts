import { Command } from 'commander';
import { z } from 'zod';
import { type CliContext } from '../../cli-context.ts';
import { routeProfileSchema } from '../../gateway/response-schemas.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { formatProfileAccounts } from '../../output/format-profile-accounts.ts';
import { formatTable } from '../../output/format-table.ts';

/** `parley profiles list`. */
export function listProfiles(context: CliContext): Command {
  return new Command('list')
    .description('List route profiles')
    .addOption(workspaceOption())
    .action(async ({ workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      const profiles = await gateway.call('GET', '/admin/v1/route-profiles', z.array(routeProfileSchema), {
        query: { workspace_id: workspace },
      });
      const rows = profiles.map((each) => [each.slug, formatProfileAccounts(each) || 'all', each.strategy, each.model ?? '']);
      context.print(profiles, () => formatTable(['slug', 'accounts', 'strategy', 'model for auto'], rows));
    });
}
