import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { emptyResponseSchema } from '../../gateway/client.ts';
import { resolveWorkspace, requireOnlyWorkspace, listWorkspaceNames } from '../../gateway/resolve-resources.ts';
import { actionCohortSchema } from '../../gateway/response-schemas.ts';
import { formatTable } from '../../output/format-table.ts';

const PATH = '/admin/v1/action-cohort';

/** `parley actions cohort`: the workspaces that take part in the beta. */
export function cohortCommand(context: CliContext): Command {
  return new Command('cohort')
    .description('Workspaces that take part in the beta of actions')
    .addCommand(list(context))
    .addCommand(change(context, 'add', 'Let a workspace take part', 'PUT'))
    .addCommand(change(context, 'remove', 'Let a workspace no longer take part; its runs that were accepted go on', 'DELETE'));
}

function list(context: CliContext): Command {
  return new Command('list').description('List the workspaces that take part').action(async () => {
    const gateway = await context.gateway();
    const members = await gateway.call('GET', PATH, actionCohortSchema);
    const names = await listWorkspaceNames(gateway);
    const rows = members.workspace_ids.map((id) => [names.get(id) ?? '', id]);
    context.print(members, () => formatTable(['workspace', 'id'], rows));
  });
}

function change(context: CliContext, name: 'add' | 'remove', description: string, method: 'PUT' | 'DELETE'): Command {
  return new Command(name)
    .description(description)
    .argument('[workspace]', 'its name or id (default: the only one there is)')
    .action(async (asked: string | undefined) => {
      const gateway = await context.gateway();
      const { id, name: workspace } = await (asked === undefined ? requireOnlyWorkspace(gateway) : resolveWorkspace(gateway, asked));
      await gateway.call(method, `${PATH}/${encodeURIComponent(id)}`, emptyResponseSchema);
      const member = method === 'PUT';
      context.print({ workspace_id: id, member }, () => `Workspace ${workspace} ${member ? 'takes part' : 'no longer takes part'}.`);
    });
}
