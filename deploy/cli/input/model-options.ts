import { type Command, InvalidArgumentError } from 'commander';
import { collectValues } from './collect-values.ts';
import { parseNameList } from './parse-name-list.ts';

/** Options for the models of a connection, and for the request parameters that its upstream receives. */
export interface ModelOptions {
  defaultModel?: string;
  alias?: string[];
  pass?: string[];
}

/** The options as fields of the control plane; undefined leaves a field unchanged, null clears it. */
export interface ModelFields {
  default_model: string | null | undefined;
  aliases: Record<string, string> | undefined;
  pass: string[] | undefined;
}

/** The value that clears an option. */
const NONE = 'none';

/** Adds the model options to a command. */
export function addModelOptions(command: Command): Command {
  return command
    .option('--default-model <name>', 'what `auto` is on it (default, and `none`: its first chat model)')
    .option('--alias <name=model>', 'another name for a model; may be repeated; `name=` takes one away, `none` all', alias)
    .option(
      '--pass <names>',
      'request parameters that its upstream gets, with commas, e.g. temperature,max_tokens (default, and `none`: no)',
      parseNameList,
    );
}

/** Converts the options to fields of the control plane; aliases are added to the existing ones. */
export function toModelFields(options: ModelOptions, before: Readonly<Record<string, string>> = {}): ModelFields {
  const { defaultModel, alias: given, pass } = options;
  return {
    default_model: defaultModel === NONE ? null : defaultModel,
    aliases: given && aliasesAfter(given, before),
    pass: pass?.includes(NONE) ? [] : pass,
  };
}

function alias(value: string, before: string[] | undefined): string[] {
  if (value !== NONE && !/^[^=]+=/.test(value)) throw new InvalidArgumentError('must be name=model, name= or none.');
  return collectValues(value, before);
}

function aliasesAfter(given: readonly string[], before: Readonly<Record<string, string>>): Record<string, string> {
  const all = new Map(given.includes(NONE) ? [] : Object.entries(before));
  for (const one of given.filter((each) => each !== NONE)) {
    const [name, model] = [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)];
    if (model === '') all.delete(name);
    else all.set(name, model);
  }
  return Object.fromEntries(all);
}
