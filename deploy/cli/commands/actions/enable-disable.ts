import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { actionSchema } from '../../gateway/response-schemas.ts';

/** `parley actions disable`. */
export function disableAction(context: CliContext): Command {
  return change(context, 'disable', 'Take an action out of the catalog; runs that were accepted go on', false);
}

/** `parley actions enable`. */
export function enableAction(context: CliContext): Command {
  return change(context, 'enable', 'Put an action back into the catalog', true);
}

function change(context: CliContext, name: 'disable' | 'enable', description: string, enabled: boolean): Command {
  return new Command(name)
    .description(description)
    .argument('<slug>', 'its name')
    .action(async (slug: string) => {
      const gateway = await context.gateway();
      const changed = await gateway.call('PATCH', `/admin/v1/actions/${encodeURIComponent(slug)}`, actionSchema, { body: { enabled } });
      context.print(changed, () => `Action ${changed.slug} is ${changed.status}.`);
    });
}
