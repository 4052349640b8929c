import { Command } from 'commander';
import { usageError } from '../../cli-error.ts';
import { type CliContext } from '../../context.ts';
import { changeConnection } from '../../gateway/change-connection.ts';
import { readSecret, type SecretOptions, withSecretOptions } from '../../input/secret-options.ts';
import { workspaceOption } from '../../input/workspace-option.ts';

interface ReconnectOptions extends SecretOptions {
  baseUrl?: string;
  account?: string;
  workspace?: string;
}

/** `parley connections reconnect`: new credentials or a new address, proven with the upstream before they replace the old ones. */
export function reconnectConnection(context: CliContext): Command {
  const command = new Command('reconnect')
    .description('Give an account new credentials or a new address')
    .argument('<connection>', 'its label or id')
    .option('--base-url <url>', 'where the upstream is now')
    .option('--account <name>', 'login name')
    .addOption(workspaceOption());
  return withSecretOptions(command).action(async (name: string, options: ReconnectOptions) => {
    const secret = await readSecret(options, context.surroundings);
    const { baseUrl, account, workspace } = options;
    if (baseUrl === undefined && account === undefined && Object.keys(secret).length === 0) {
      throw usageError('give new credentials, --account or --base-url');
    }
    const change = { base_url: baseUrl, account, ...secret };
    const changed = await changeConnection(await context.gateway(), { name, workspace }, change);
    context.print(changed, () => `${changed.label} is ${changed.status}, ${changed.health}.`);
  });
}
