/** Parses names with commas or new lines between them; returns each once. */
export function parseNameList(text: string): string[] {
  return [...new Set(text.split(/[,\n]/).map((name) => name.trim()))].filter((name) => name !== '');
}

/** Parses lines of `alias = model`; undefined when a line is invalid. */
export function parseModelAliases(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => line.split('=').map((part) => part.trim()));
  const isGood = pairs.every((pair) => pair.length === 2 && pair.every((part) => part !== ''));
  return isGood ? (Object.fromEntries(pairs) as Record<string, string>) : undefined;
}

/** Formats aliases as lines of `alias = model`. */
export function formatModelAliases(aliases: Readonly<Record<string, string>>): string {
  return Object.entries(aliases)
    .map(([alias, model]) => `${alias} = ${model}`)
    .join('\n');
}
