import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { resolveWorkspace, listWorkspaceNames } from '../../gateway/resolve-resources.ts';
import { serviceAccountSchema } from '../../gateway/response-schemas.ts';
import { formatTable } from '../../output/format-table.ts';

/** `parley service-accounts list`. */
export function listServiceAccounts(context: CliContext): Command {
  return new Command('list')
    .description('List service accounts, newest first')
    .option('--workspace <workspace>', 'name or id of a workspace (default: all accounts)')
    .action(async ({ workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      const workspaceId = workspace === undefined ? undefined : (await resolveWorkspace(gateway, workspace)).id;
      const accounts = await gateway.listAll('/admin/v1/service-accounts', serviceAccountSchema, { workspace_id: workspaceId });
      const names = context.json ? undefined : await listWorkspaceNames(gateway);
      const rows = accounts.map((one) => [
        ...[one.id, one.name, one.status, one.instance_role ?? one.workspace_role ?? '-'],
        one.workspace_id === null ? 'the whole gateway' : (names?.get(one.workspace_id) ?? one.workspace_id),
        ...[one.expires_at ?? 'never', one.last_used_at ?? 'never'],
      ]);
      context.print(accounts, () => formatTable(['id', 'name', 'status', 'role', 'in', 'expires', 'last used'], rows));
    });
}
