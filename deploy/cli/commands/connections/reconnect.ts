import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { usageError } from '../../cli-error.ts';
import { connectionPath, resolveConnection } from '../../gateway/resolve-resources.ts';
import { connectionSchema } from '../../gateway/response-schemas.ts';
import { readSecretFields, type SecretOptions, addSecretOptions } from '../../input/secret-options.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { toModelChangeFacts, toConnectionFacts } from '../../output/format-connection.ts';
import { formatFacts } from '../../output/format-table.ts';

interface ReconnectOptions extends SecretOptions {
  baseUrl?: string;
  account?: string;
  workspace?: string;
}

const EXAMPLES = `
Examples:
  parley connections reconnect official --api-key-stdin < key.txt
  parley connections reconnect ollama --base-url http://127.0.0.1:11434/v1`;

/** `parley connections reconnect`: new credentials or a new address, proven with the upstream before they replace the old ones. */
export function reconnectConnection(context: CliContext): Command {
  const command = new Command('reconnect')
    .description('Give an account new credentials or a new address')
    .argument('<connection>', 'its label or id')
    .option('--base-url <url>', 'where the upstream is now')
    .option('--account <name>', 'login name')
    .addOption(workspaceOption())
    .addHelpText('after', EXAMPLES);
  return addSecretOptions(command).action(async (name: string, options: ReconnectOptions) => {
    const secret = await readSecretFields(options, context.environment);
    const { baseUrl, account, workspace } = options;
    if (baseUrl === undefined && account === undefined && Object.keys(secret).length === 0) {
      throw usageError('give new credentials, --account or --base-url');
    }
    const change = { base_url: baseUrl, account, ...secret };
    const gateway = await context.gateway();
    const found = await resolveConnection(gateway, name, workspace);
    const changed = await gateway.call('PATCH', connectionPath(found), connectionSchema, {
      query: { workspace_id: workspace },
      body: change,
    });
    context.print(changed, () =>
      formatFacts([['Reconnected', changed.label], ...toConnectionFacts(changed), ...toModelChangeFacts(found, changed)]),
    );
  });
}
