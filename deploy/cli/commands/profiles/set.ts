import { Command } from 'commander';
import { type CliContext } from '../../context.ts';
import { routeProfile } from '../../gateway/answers.ts';
import { repeatable } from '../../input/repeatable.ts';
import { workspaceOption } from '../../input/workspace-option.ts';

interface SetOptions {
  account?: string[];
  model?: string;
  workspace?: string;
}

/** `parley profiles set`: creates or replaces a profile. */
export function setProfile(context: CliContext): Command {
  return new Command('set')
    .description('Create or replace a route profile')
    .argument('<slug>', 'lower-case letters and digits with single dashes')
    .option('--account <label>', 'an account it may use; repeat in order of preference (default: all)', repeatable)
    .option('--model <name>', 'the model for requests that say auto')
    .addOption(workspaceOption())
    .action(async (slug: string, { account, model, workspace }: SetOptions) => {
      const gateway = await context.gateway();
      const path = `/admin/v1/route-profiles/${encodeURIComponent(slug)}`;
      const body = { account_labels: account ?? [], model: model ?? null };
      const profile = await gateway.call('PUT', path, routeProfile, { query: { workspace_id: workspace }, body });
      context.print(
        profile,
        () =>
          `Profile ${profile.slug}: ${profile.account_labels.join(', ') || 'all accounts'}${profile.model ? `, model ${profile.model}` : ''}.`,
      );
    });
}
