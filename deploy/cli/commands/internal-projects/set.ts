import { Command, Option } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { internalProjectSchema } from '../../gateway/response-schemas.ts';
import { workspaceOption } from '../../input/workspace-option.ts';

interface SetOptions {
  name?: string;
  policy?: string;
  workspace?: string;
}

/** `parley internal-projects set`: creates or replaces one. */
export function setInternalProject(context: CliContext): Command {
  return new Command('set')
    .description('Create or replace an internal project')
    .argument('<slug>', 'lower-case letters and digits with single dashes')
    .option('--name <name>', 'what it is called (default: its slug)')
    .addOption(
      new Option('--policy <policy>', 'whether its turns may use the general space of an account (default: allow_general)').choices([
        'allow_general',
        'require_project',
      ]),
    )
    .addOption(workspaceOption())
    .action(async (slug: string, { name = slug, policy, workspace }: SetOptions) => {
      const gateway = await context.gateway();
      const path = `/admin/v1/internal-projects/${encodeURIComponent(slug)}`;
      const set = await gateway.call('PUT', path, internalProjectSchema, { query: { workspace_id: workspace }, body: { name, policy } });
      context.print(set, () => `Internal project ${set.slug} (${set.name}): ${set.policy}.`);
    });
}
