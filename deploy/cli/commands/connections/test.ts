import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { connectionPath, resolveConnection } from '../../gateway/resolve-resources.ts';
import { connectionTestSchema } from '../../gateway/response-schemas.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { toModelChangeFacts, toConnectionFacts } from '../../output/format-connection.ts';
import { formatFacts } from '../../output/format-table.ts';

/** `parley connections test`: tests a connection, which takes over the models that the upstream reports; fails when the test fails. */
export function testConnection(context: CliContext): Command {
  return new Command('test')
    .description('Ask the upstream whether an account works, and which models it has now')
    .argument('<connection>', 'its label or id')
    .addOption(workspaceOption())
    .action(async (name: string, { workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      const found = await resolveConnection(gateway, name, workspace);
      const result = await gateway.call('POST', connectionPath(found, '/test'), connectionTestSchema, {
        query: { workspace_id: workspace },
      });
      context.failed = !result.ok;
      const { connection: now } = result;
      context.print(result, () =>
        [
          result.ok ? `${found.label} works.` : `${found.label} does not work: ${result.message} [${result.code}]`,
          ...(now ? [formatFacts([...toConnectionFacts(now), ...toModelChangeFacts(found, now)])] : []),
        ].join('\n'),
      );
    });
}
