import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { usageError } from '../../cli-error.ts';
import { connectionPath, resolveConnection } from '../../gateway/resolve-resources.ts';
import { connectionSchema } from '../../gateway/response-schemas.ts';
import { parseConcurrencyOrDefault } from '../../input/concurrency.ts';
import { toModelFields, type ModelOptions, addModelOptions } from '../../input/model-options.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { toConnectionFacts } from '../../output/format-connection.ts';
import { formatFacts } from '../../output/format-table.ts';

interface UpdateOptions extends ModelOptions {
  label?: string;
  maxConcurrency?: number | 'default';
  default?: boolean;
  workspace?: string;
}

const EXAMPLES = `
Examples:
  parley connections update ollama --label home --max-concurrency 8
  parley connections update ollama --default-model large --alias fast=small
  parley connections update ollama --alias fast= --pass temperature,seed
  parley connections update ollama --pass none --alias none --default-model none`;

/** `parley connections update`: changes the label, the concurrency and the model options of a connection. */
export function updateConnection(context: CliContext): Command {
  const command = new Command('update')
    .description(
      'Change the name of an account, its models for `auto` and aliases, what it passes on, how many turns it runs at once, or make it the default',
    )
    .argument('<connection>', 'its label or id')
    .option('--label <label>', 'its new name here')
    .option('--max-concurrency <number>', 'turns at once in each chat-routing process, or `default`', parseConcurrencyOrDefault)
    .option('--default', 'make it the default account of the workspace, among those for the same purpose')
    .addOption(workspaceOption())
    .addHelpText('after', EXAMPLES);
  return addModelOptions(command).action(async (name: string, options: UpdateOptions) => {
    const { label, maxConcurrency, default: isDefault, workspace } = options;
    const change = { label, max_concurrency: maxConcurrency === 'default' ? null : maxConcurrency, is_default: isDefault };
    if (Object.values<unknown>({ ...change, ...toModelFields(options) }).every((value) => value === undefined))
      throw usageError('give --label, --max-concurrency, --default, --default-model, --alias or --pass');
    const gateway = await context.gateway();
    const found = await resolveConnection(gateway, name, workspace);
    const body = { ...change, ...toModelFields(options, found.aliases) };
    const changed = await gateway.call('PATCH', connectionPath(found), connectionSchema, { query: { workspace_id: workspace }, body });
    const atOnce = String(changed.max_concurrency ?? 'as configured');
    context.print(changed, () => formatFacts([['Changed', changed.label], ...toConnectionFacts(changed), ['Turns at once', atOnce]]));
  });
}
