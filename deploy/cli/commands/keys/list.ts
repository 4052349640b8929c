import { Command, Option } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { apiKeySchema, type ApiKey } from '../../gateway/response-schemas.ts';
import { formatTable } from '../../output/format-table.ts';
import { formatAge, formatDay } from '../../output/format-times.ts';

interface Flags {
  workspace?: string;
  user?: string;
  search?: string;
  status?: string;
  sort?: string;
}

const SORTS = ['created_at', '-created_at', 'name', '-name', 'last_used_at', '-last_used_at'];

/** `parley keys list`: keys of all workspaces, or of one. */
export function listKeys(context: CliContext): Command {
  return new Command('list')
    .description('List API keys, without the keys themselves')
    .option('--workspace <id>', 'only those of this workspace')
    .option('--user <id>', 'only those of this person')
    .option('--search <text>', 'only those with this text in their name, that begin with it, or with this id')
    .addOption(new Option('--status <status>', 'only those that stand so').choices(['active', 'expired', 'revoked']))
    .addOption(
      new Option('--sort <order>', 'what they are sorted by; - before it for the latest or last first (default: -created_at)').choices(
        SORTS,
      ),
    )
    .action(async ({ workspace, user, ...filters }: Flags) => {
      const gateway = await context.gateway();
      const keys = await gateway.listAll('/admin/v1/keys', apiKeySchema, { workspace_id: workspace, user_id: user, ...filters });
      const now = context.environment.now();
      const row = (key: ApiKey) => [
        key.id,
        key.name,
        key.prefix,
        key.scopes.join(','),
        stateOf(key, now),
        formatDay(key.expires_at),
        formatAge(key.last_used_at, now),
      ];
      context.print(keys, () => formatTable(['id', 'name', 'prefix', 'scopes', 'state', 'expires', 'last used'], keys.map(row)));
    });
}

function stateOf({ revoked_at, expires_at }: ApiKey, now: number): string {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'active';
}
