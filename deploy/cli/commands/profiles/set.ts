import { Command, InvalidArgumentError, Option } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { routeProfileSchema } from '../../gateway/response-schemas.ts';
import { parseNameList } from '../../input/parse-name-list.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { formatProfileAccounts } from '../../output/format-profile-accounts.ts';

interface SetOptions {
  accounts?: string[];
  account?: string[];
  strategy?: string;
  weights?: number[];
  model?: string;
  workspace?: string;
}

const EXAMPLES = `
Strategies: priority takes the first of the accounts that can take a turn, weighted takes them in proportion, least_loaded takes the one that
answers soonest. Without one it is priority where accounts are named, and least_loaded otherwise.

Examples:
  parley profiles set cheap --accounts ollama,vllm --model small
  parley profiles set canary --accounts old,new --strategy weighted --weights 9,1
  parley profiles set any --strategy least_loaded`;

/** `parley profiles set`: creates or replaces a profile. */
export function setProfile(context: CliContext): Command {
  return new Command('set')
    .alias('put')
    .description('Create or replace a route profile')
    .argument('<slug>', 'lower-case letters and digits with single dashes')
    .option('--accounts <labels>', 'the accounts it may use, with commas, in order of preference (default: all)', parseNameList)
    .addOption(new Option('--account <label>', 'one of them; may be repeated').argParser(parseNameList))
    .addOption(new Option('--strategy <name>', 'how it chooses between them').choices(['priority', 'weighted', 'least_loaded']))
    .option('--weights <numbers>', 'for weighted: one for each account, with commas', weights)
    .option('--model <name>', 'the model, or alias, for requests that say auto')
    .addOption(workspaceOption())
    .addHelpText('after', EXAMPLES)
    .action(async (slug: string, { accounts = [], account = [], strategy, weights: given, model, workspace }: SetOptions) => {
      const gateway = await context.gateway();
      const path = `/admin/v1/route-profiles/${encodeURIComponent(slug)}`;
      const body = { account_labels: [...accounts, ...account], model: model ?? null, strategy, weights: given };
      const profile = await gateway.call('PUT', path, routeProfileSchema, { query: { workspace_id: workspace }, body });
      const shown = [
        formatProfileAccounts(profile) || 'all accounts',
        `by ${profile.strategy}`,
        ...(profile.model ? [`model ${profile.model}`] : []),
      ];
      context.print(profile, () => `Profile ${profile.slug}: ${shown.join(', ')}.`);
    });
}

function weights(value: string): number[] {
  if (!/^[1-9]\d{0,3}(,[1-9]\d{0,3})*$/.test(value))
    throw new InvalidArgumentError('must be whole numbers from 1 with commas between them.');
  return value.split(',').map(Number);
}
