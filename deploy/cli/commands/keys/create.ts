import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { createdApiKeySchema } from '../../gateway/response-schemas.ts';
import { parseDuration } from '../../input/duration.ts';
import { type QuotaOptions, toQuotaFields, addQuotaOptions } from '../../input/quota-options.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { formatFacts } from '../../output/format-table.ts';

interface CreateOptions extends QuotaOptions {
  name: string;
  scopes?: string[];
  expiresIn?: number;
  project?: string;
  workspace?: string;
}

/** `parley keys create`: the only moment in which a key is shown. */
export function createKey(context: CliContext): Command {
  const command = new Command('create')
    .description('Create an API key; it is shown once')
    .requiredOption('--name <name>', 'what the key is for (required)')
    .option(
      '--scopes <list>',
      'comma-separated: chat, conversations, audio, actions:read, actions:run (default: chat,conversations)',
      split,
    )
    .option('--expires-in <duration>', 'e.g. 90d (default: never)', parseDuration)
    .option('--project <slug>', 'the internal project to bind it to (default: none)')
    .addOption(workspaceOption());
  return addQuotaOptions(command).action(async ({ name, scopes, expiresIn, project, workspace, ...quotas }: CreateOptions) => {
    const gateway = await context.gateway();
    const expiresAt = expiresIn === undefined ? undefined : new Date(context.environment.now() + expiresIn).toISOString();
    const body = { name, scopes, expires_at: expiresAt, project, workspace_id: workspace, quotas: toQuotaFields(quotas) };
    const created = await gateway.call('POST', '/admin/v1/keys', createdApiKeySchema, { body });
    context.print(created, () =>
      formatFacts([
        ['API key', `${created.key}   (shown only now: keep it)`],
        ['Id', created.id],
        ['Name', created.name],
        ['Scopes', created.scopes.join(', ')],
        ['Expires', created.expires_at ?? 'never'],
      ]),
    );
  });
}

function split(list: string): string[] {
  return list
    .split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '');
}
