import { Command } from 'commander';
import { type CliContext } from '../../context.ts';
import { serviceAccount } from '../../gateway/answers.ts';
import { findWorkspace, workspaceNames } from '../../gateway/find.ts';
import { table } from '../../output/table.ts';

/** `parley service-accounts list`. */
export function listServiceAccounts(context: CliContext): Command {
  return new Command('list')
    .description('List service accounts, newest first')
    .option('--workspace <workspace>', 'name or id of a workspace (default: all accounts)')
    .action(async ({ workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      const workspaceId = workspace === undefined ? undefined : (await findWorkspace(gateway, workspace)).id;
      const accounts = await gateway.all('/admin/v1/service-accounts', serviceAccount, { workspace_id: workspaceId });
      const names = context.json ? undefined : await workspaceNames(gateway);
      const rows = accounts.map((one) => [
        ...[one.id, one.name, one.status, one.instance_role ?? one.workspace_role ?? '-'],
        one.workspace_id === null ? 'the whole gateway' : (names?.get(one.workspace_id) ?? one.workspace_id),
        ...[one.expires_at ?? 'never', one.last_used_at ?? 'never'],
      ]);
      context.print(accounts, () => table(['id', 'name', 'status', 'role', 'in', 'expires', 'last used'], rows));
    });
}
