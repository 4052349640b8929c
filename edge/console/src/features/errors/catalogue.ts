import entries from '../../api/generated/errors.json';

/** One condition, as the gateway's catalogue explains it. */
export type Condition = (typeof entries)[number];

/** A code, with the conditions that it stands for. */
export interface ErrorCode {
  code: string;
  conditions: Condition[];
}

/** All codes, in the order of the catalogue. */
export const CODES: readonly ErrorCode[] = group(entries);

/** The codes in whose explanation all words stand, in any order and spelling. */
export function findCodes(search: string): readonly ErrorCode[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return CODES;
  return CODES.filter(({ conditions }) => {
    const text = conditions
      .flatMap(({ code, http, type, meaning, cause, remedy }) => [code, String(http), type, meaning, cause, remedy])
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function group(conditions: readonly Condition[]): ErrorCode[] {
  const byCode = new Map<string, Condition[]>();
  for (const condition of conditions) byCode.set(condition.code, [...(byCode.get(condition.code) ?? []), condition]);
  return [...byCode].map(([code, of]) => ({ code, conditions: of }));
}
