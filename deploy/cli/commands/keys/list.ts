import { Command } from 'commander';
import { type CliContext } from '../../context.ts';
import { apiKey, type ApiKey } from '../../gateway/answers.ts';
import { table } from '../../output/table.ts';
import { ago, day } from '../../output/times.ts';

/** `parley keys list`: keys of all workspaces, or of one. */
export function listKeys(context: CliContext): Command {
  return new Command('list')
    .description('List API keys, without the keys themselves')
    .option('--workspace <id>', 'only those of this workspace')
    .action(async ({ workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      const keys = await gateway.all('/admin/v1/keys', apiKey, { workspace_id: workspace });
      const now = context.environment.now();
      const row = (key: ApiKey) => [
        key.id,
        key.name,
        key.prefix,
        key.scopes.join(','),
        stateOf(key, now),
        day(key.expires_at),
        ago(key.last_used_at, now),
      ];
      context.print(keys, () => table(['id', 'name', 'prefix', 'scopes', 'state', 'expires', 'last used'], keys.map(row)));
    });
}

function stateOf({ revoked_at, expires_at }: ApiKey, now: number): string {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'active';
}
