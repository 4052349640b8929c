import entries from '../../api/generated/errors.json';

/** One condition, as the gateway's catalogue explains it. */
export type Condition = (typeof entries)[number];

/** An error code with its conditions. */
export interface ErrorCodeEntry {
  code: string;
  conditions: Condition[];
}

/** All codes, in the order of the catalogue. */
export const ERROR_CODE_ENTRIES: readonly ErrorCodeEntry[] = group(entries);

/** The codes in whose explanation all words stand, in any order and spelling. */
export function findCodes(search: string): readonly ErrorCodeEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return ERROR_CODE_ENTRIES;
  return ERROR_CODE_ENTRIES.filter(({ conditions }) => {
    const text = conditions
      .flatMap(({ code, http, type, meaning, cause, remedy }) => [code, String(http), type, meaning, cause, remedy])
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function group(conditions: readonly Condition[]): ErrorCodeEntry[] {
  const byCode = new Map<string, Condition[]>();
  for (const condition of conditions) byCode.set(condition.code, [...(byCode.get(condition.code) ?? []), condition]);
  return [...byCode].map(([code, of]) => ({ code, conditions: of }));
}
