/** What the choice between connections looks at. */
export interface Candidate {
  /** Turns in this process that run on the connection, or wait to. */
  inFlight: number;
  /** Latency to the first event that a turn has to expect, in milliseconds; 0 when unknown. */
  latencyMs: number;
  /** The operator prefers it among those that are about as good. */
  isDefault?: boolean;
}

/** Scores closer than this count as equal. */
const TIE = 1.1;
/** How much worse than the best the default connection may look and still be taken. */
const NEAR = 1.25;
/** Latencies below this are alike: a network's noise must not decide. */
const FLOOR_MS = 20;
/** So many turns under way weigh as much as the latency doubled: upstreams answer several at once. */
const TURNS = 8;

/**
 * The candidate with the least latency times turns under way, those that are about equal at random; the default one where it is about as good.
 * Undefined when there is none. ADR 0038 says why all of them are compared and not two.
 */
export function pickLeastLoaded<T extends Candidate>(candidates: readonly T[], random: () => number = Math.random): T | undefined {
  if (candidates.length <= 1) return candidates[0];
  const scores = candidates.map(score);
  const best = Math.min(...scores);
  const preferred = candidates.findIndex(({ isDefault }) => isDefault);
  if ((scores[preferred] ?? Number.POSITIVE_INFINITY) <= best * NEAR) return candidates[preferred];
  const equal = candidates.filter((_candidate, at) => (scores[at] ?? 0) <= best * TIE);
  return equal[Math.floor(random() * equal.length)];
}

/** One of the candidates at random, as often as its weight says; undefined when there is none. The weights are positive. */
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

function score({ inFlight, latencyMs }: Candidate): number {
  return (1 + inFlight / TURNS) * Math.max(latencyMs, FLOOR_MS);
}
