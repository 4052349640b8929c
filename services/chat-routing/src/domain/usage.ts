/** Tokens of a turn. */
export interface Usage {
  tokensIn: number;
  tokensOut: number;
}

/** The usage of a turn that no upstream took. */
export const NO_USAGE: Usage = { tokensIn: 0, tokensOut: 0 };

/** The record keeps 32-bit counts. */
const MAX_TOKENS = 0x7fff_ffff;

/** The counts an upstream gave, if they are counts: what it says is not trusted to be whole, positive or small. */
export function findValidUsage(usage: Usage | undefined): Usage | undefined {
  return usage && isCount(usage.tokensIn) && isCount(usage.tokensOut) ? usage : undefined;
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS;
}
