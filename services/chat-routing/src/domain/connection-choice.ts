/** The facts by which a connection is chosen. */
export interface ConnectionCandidate {
  /** Turns of this process that run on the connection or wait for it. */
  inFlight: number;
  /** Expected latency to the first event in milliseconds; 0 when unknown. */
  latencyMs: number;
  /** The operator's default connection, which is preferred when its score is close to the best. */
  isDefault?: boolean;
}

/** Scores within this factor of the best count as equal. */
const TIE = 1.1;
/** The default connection is chosen when its score is within this factor of the best. */
const NEAR = 1.25;
/** Latencies below this count as equal, so that network noise does not decide. */
const FLOOR_MS = 20;
/** Number of running turns that doubles the score; upstreams answer several turns at once. */
const TURNS = 8;

/**
 * Returns the candidate with the lowest product of latency and load: a random one of those that are about equal, or the default one when it
 * is close to the best. Undefined when there are no candidates. ADR 0038 explains why all candidates are compared instead of two.
 */
export function pickLeastLoaded<T extends ConnectionCandidate>(
  candidates: readonly T[],
  random: () => number = Math.random,
): T | undefined {
  if (candidates.length <= 1) return candidates[0];
  const scores = candidates.map(score);
  const best = Math.min(...scores);
  const preferred = candidates.findIndex(({ isDefault }) => isDefault);
  if ((scores[preferred] ?? Number.POSITIVE_INFINITY) <= best * NEAR) return candidates[preferred];
  const equal = candidates.filter((_candidate, at) => (scores[at] ?? 0) <= best * TIE);
  return equal[Math.floor(random() * equal.length)];
}

/** Returns a random candidate with a probability proportional to its weight, which must be positive; undefined when there are none. */
export function pickWeighted<T>(
  candidates: readonly T[],
  weightOf: (candidate: T) => number,
  random: () => number = Math.random,
): T | undefined {
  let left = random() * candidates.reduce((sum, candidate) => sum + weightOf(candidate), 0);
  for (const candidate of candidates) {
    left -= weightOf(candidate);
    if (left < 0) return candidate;
  }
  return candidates.at(-1);
}

function score({ inFlight, latencyMs }: ConnectionCandidate): number {
  return (1 + inFlight / TURNS) * Math.max(latencyMs, FLOOR_MS);
}
