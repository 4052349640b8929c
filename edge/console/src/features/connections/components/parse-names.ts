/** Names that were typed with commas or new lines between them, each once. */
export function parseNameList(text: string): string[] {
  return [...new Set(text.split(/[,\n]/).map((name) => name.trim()))].filter((name) => name !== '');
}

/** Aliases that were typed as lines of `alias = model`; undefined where a line is none. */
export function parseModelAliases(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => line.split('=').map((part) => part.trim()));
  const isGood = pairs.every((pair) => pair.length === 2 && pair.every((part) => part !== ''));
  return isGood ? (Object.fromEntries(pairs) as Record<string, string>) : undefined;
}

/** Aliases as they are typed. */
export function formatModelAliases(aliases: Readonly<Record<string, string>>): string {
  return Object.entries(aliases)
    .map(([alias, model]) => `${alias} = ${model}`)
    .join('\n');
}
