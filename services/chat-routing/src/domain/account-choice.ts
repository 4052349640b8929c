/** What the choice between accounts looks at. */
export interface Candidate {
  /** Turns in this process that run on the account, or wait to. */
  inFlight: number;
  /** Recent time to the first token in milliseconds; 0 when unknown. */
  latencyMs: number;
}

/** Scores closer than this count as equal, so that small differences in latency do not pile turns on one account. */
const TIE = 1.1;

/** The least loaded candidate by turns in flight and recent latency, ties at random; undefined when there is none. */
export function leastLoaded<T extends Candidate>(candidates: readonly T[], random: () => number = Math.random): T | undefined {
  if (candidates.length <= 1) return candidates[0];
  let best = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) best = Math.min(best, score(candidate));
  const equal = candidates.filter((candidate) => score(candidate) <= best * TIE);
  return equal[Math.floor(random() * equal.length)];
}

function score({ inFlight, latencyMs }: Candidate): number {
  return (inFlight + 1) * (latencyMs + 100);
}
