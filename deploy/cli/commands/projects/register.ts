import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { resolveConnection } from '../../gateway/resolve-resources.ts';
import { projectSchema } from '../../gateway/response-schemas.ts';
import { workspaceOption } from '../../input/workspace-option.ts';

/** `parley projects register`: registers a project that exists upstream, without binding it. */
export function registerProject(context: CliContext): Command {
  return new Command('register')
    .description('Make a project known that exists upstream; bind it, so that it can be selected')
    .argument('<account>', 'label or id of its connection')
    .argument('<reference>', 'what the upstream calls it, e.g. sp_…')
    .addOption(workspaceOption())
    .action(async (account: string, reference: string, { workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      const { id } = await resolveConnection(gateway, account, workspace);
      const body = { upstream_account_id: id, upstream_reference: reference, workspace_id: workspace };
      const registered = await gateway.call('POST', '/admin/v1/projects', projectSchema, { body });
      context.print(
        registered,
        () => `Registered ${registered.slug} (${registered.name}). To let it be selected: parley projects bind ${registered.slug}`,
      );
    });
}
