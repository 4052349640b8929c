/** Token counts of a turn: `tokensIn` of the prompt, `tokensOut` of the answer. */
export interface Usage {
  tokensIn: number;
  tokensOut: number;
}

/** The usage of a turn that no upstream accepted. */
export const NO_USAGE: Usage = { tokensIn: 0, tokensOut: 0 };

/** Largest count that can be recorded: counts are stored as 32-bit integers. */
const MAX_TOKENS = 0x7fff_ffff;

/** Returns the usage that an upstream reported if both counts are non-negative 32-bit integers, else undefined. */
export function findValidUsage(usage: Usage | undefined): Usage | undefined {
  return usage && isCount(usage.tokensIn) && isCount(usage.tokensOut) ? usage : undefined;
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS;
}
