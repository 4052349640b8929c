import { Command } from 'commander';
import { z } from 'zod';
import { type CliContext } from '../../context.ts';
import { routeProfile } from '../../gateway/answers.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { shownAccounts } from '../../output/profile-accounts.ts';
import { table } from '../../output/table.ts';

/** `parley profiles list`. */
export function listProfiles(context: CliContext): Command {
  return new Command('list')
    .description('List route profiles')
    .addOption(workspaceOption())
    .action(async ({ workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      const profiles = await gateway.call('GET', '/admin/v1/route-profiles', z.array(routeProfile), { query: { workspace_id: workspace } });
      const rows = profiles.map((each) => [each.slug, shownAccounts(each) || 'all', each.strategy, each.model ?? '']);
      context.print(profiles, () => table(['slug', 'accounts', 'strategy', 'model for auto'], rows));
    });
}
