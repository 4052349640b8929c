import { Command } from 'commander';
import { type CliContext } from '../../context.ts';
import { connectionTest } from '../../gateway/answers.ts';
import { connectionPath, findConnection } from '../../gateway/find.ts';
import { workspaceOption } from '../../input/workspace-option.ts';

/** `parley connections test`: asks the upstream; fails when the account does not work. */
export function testConnection(context: CliContext): Command {
  return new Command('test')
    .description('Ask the upstream whether an account works')
    .argument('<connection>', 'its label or id')
    .addOption(workspaceOption())
    .action(async (name: string, { workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      const found = await findConnection(gateway, name, workspace);
      const result = await gateway.call('POST', connectionPath(found, '/test'), connectionTest, { query: { workspace_id: workspace } });
      context.failed = !result.ok;
      context.print(result, () =>
        result.ok
          ? `${found.label} works: ${result.models.join(', ')}.`
          : `${found.label} does not work: ${result.message} [${result.code}]`,
      );
    });
}
