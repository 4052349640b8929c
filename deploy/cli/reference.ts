import { type Argument, type Command, type Option } from 'commander';

/** Matches the section of `docs/cli.md` that contains the reference. */
export const REFERENCE_SECTION_PATTERN = /(?<=<!-- commands: begin -->\n)[^]*(?=<!-- commands: end -->)/;

const EVERYWHERE = ['--help'];

/** Every command of a program with its arguments, options and examples, in Markdown as Prettier formats it. */
export function renderReference(program: Command): string {
  return `\n${program.commands.flatMap((command) => sectionsOf(command, [program.name()])).join('\n')}\n`;
}

function sectionsOf(command: Command, path: readonly string[]): string[] {
  const own = [...path, command.name()];
  const heading = `${'#'.repeat(own.length + 1)} \`${own.join(' ')}\`\n`;
  const about = `${command.description()}.\n`;
  if (command.commands.length === 0) return [heading, about, ...detailsOf(command, own)];
  return [heading, about, ...command.commands.flatMap((child) => sectionsOf(child, own))];
}

function detailsOf(command: Command, path: readonly string[]): string[] {
  const shown = command.options.filter(({ long, hidden }) => !hidden && !EVERYWHERE.includes(long ?? ''));
  const names = command.registeredArguments.map(nameOf);
  const usage = ['npx', ...path, ...(shown.length === 0 ? [] : ['[options]']), ...names].join(' ');
  const rows = [...command.registeredArguments.map(argumentRow), ...shown.map(optionRow)];
  const more = helpAfter(command);
  return [fenced(usage), ...(rows.length === 0 ? [] : [`${rows.join('\n')}\n`]), ...(more === '' ? [] : [fenced(more)])];
}

function nameOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function argumentRow(argument: Argument): string {
  return row(nameOf(argument), argument.description, argument.argChoices, argument.defaultValueDescription ?? argument.defaultValue);
}

function optionRow(option: Option): string {
  return row(option.flags, option.description, option.argChoices, option.defaultValueDescription ?? option.defaultValue);
}

function row(name: string, description: string, choices: readonly string[] | undefined, standard: unknown): string {
  const given = [
    ...(choices ? [`one of ${choices.map((choice) => `\`${choice}\``).join(', ')}`] : []),
    ...(typeof standard === 'string' || typeof standard === 'number' ? [`default: ${standard}`] : []),
  ];
  // What stands in angle brackets is a tag in Markdown.
  const text = description.replaceAll(/(?<!`)<[\w-]+>(?!`)/g, (name) => `\`${name}\``);
  return `- \`${name}\`: ${text}${given.length === 0 ? '' : ` (${given.join('; ')})`}`;
}

/** What stands behind the options in the help of a command. */
function helpAfter(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text.slice(command.helpInformation().length).trim();
}

function fenced(text: string): string {
  return `\`\`\`\n${text}\n\`\`\`\n`;
}
