import { Command } from 'commander';
import { type CliContext } from '../../context.ts';
import { action } from '../../gateway/answers.ts';
import { table } from '../../output/table.ts';

/** `parley actions list`. */
export function listActions(context: CliContext): Command {
  return new Command('list').description('List every action, disabled or not').action(async () => {
    const gateway = await context.gateway();
    const actions = await gateway.all('/admin/v1/actions', action);
    const rows = actions.map(({ slug, version, status, risk, step_count, title }) => [
      slug,
      `${version}`,
      status,
      risk,
      `${step_count}`,
      title,
    ]);
    context.print(actions, () => table(['slug', 'version', 'status', 'risk', 'steps', 'title'], rows));
  });
}
