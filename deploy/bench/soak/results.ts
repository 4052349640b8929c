import { type ProgramMemory } from '../measure/programs.ts';
import { type RunFacts, type VerifiedRun } from '../results.ts';

/** What was seen at one second of a soak. */
export interface SoakSample {
  /** Seconds since the load began. */
  at: number;
  /** Turns that ended in the second before: answered, and broken off by the load. */
  answered: number;
  aborted: number;
  failed: number;
  /** CPU of all processes of the target in that second, in cores. */
  cores: number;
  /** Memory by program: `node`, `postgres`, `nats-server`. */
  memory: Record<string, ProgramMemory>;
}

/** The verdict on the memory of one program over the second half of a soak. */
export interface Flatness {
  program: string;
  medianMib: number;
  slopeMibPerMinute: number;
  /** The slope as a part of the median. */
  perMinute: number;
  flat: boolean;
}

/** One target under the load. */
export interface SoakRun {
  target: string;
  version: string;
  samples: SoakSample[];
  flatness: Flatness[];
  failures: Record<string, number>;
  verification: VerifiedRun;
}

/** A whole soak, as it is written to JSON. */
export interface SoakResults extends RunFacts {
  seconds: number;
  rate: number;
  runs: SoakRun[];
  /** Targets that could not be had: name → reason. */
  notAvailable: Record<string, string>;
}
