/** The texts of a namespace in one language, by keys with dots. */
export type Texts = ReadonlyMap<string, string>;

/** The texts of a file of texts, whatever their depth. @throws TypeError for what is no text and no group of texts */
export function flatTexts(group: unknown, prefix = ''): Texts {
  if (typeof group !== 'object' || group === null) throw new TypeError(`${prefix} is no group of texts`);
  return new Map(
    Object.entries(group).flatMap(([name, value]: [string, unknown]): [string, string][] =>
      typeof value === 'string' ? [[prefix + name, value]] : [...flatTexts(value, `${prefix}${name}.`)],
    ),
  );
}

/** The names of the values that a text has a place for, in order. */
export function variablesOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{\s*-?\s*(\w+)/g)].map(([, name = '']) => name))].sort();
}

/** The key that a page asks for to get this one, which may be a plural form. */
export function askedKey(key: string): string {
  return key.replace(/_(?:zero|one|two|few|many|other)$/, '');
}
