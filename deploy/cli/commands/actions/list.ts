import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { actionSchema } from '../../gateway/response-schemas.ts';
import { formatTable } from '../../output/format-table.ts';

/** `parley actions list`. */
export function listActions(context: CliContext): Command {
  return new Command('list').description('List every action, disabled or not').action(async () => {
    const gateway = await context.gateway();
    const actions = await gateway.listAll('/admin/v1/actions', actionSchema);
    const rows = actions.map(({ slug, version, status, risk, step_count, title }) => [
      slug,
      `${version}`,
      status,
      risk,
      `${step_count}`,
      title,
    ]);
    context.print(actions, () => formatTable(['slug', 'version', 'status', 'risk', 'steps', 'title'], rows));
  });
}
