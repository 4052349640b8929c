import { ratio } from '../measure/statistics.ts';
import { type Results, type Scenario } from '../results.ts';
import { addedMs, addedRatio, besideJobsRatio, memory, rateRatio, wakeRatio, worstBesideBodies, worstStoredRatio } from './figures.ts';

const SINGLE = 'parley-single';
const SEPARATE = 'parley-separate';

/** Something that a run is to show. Bounds are inclusive; `measure` is undefined where the run does not hold what it needs. */
export interface Goal {
  scenario: Scenario;
  target: string;
  text: string;
  atLeast?: number;
  atMost?: number;
  /** What would be better still. */
  stretch?: number;
  measure: (results: Results) => number | undefined;
}

/** What Parley is to reach, as ratios within one run; docs/benchmarks.md says where it stands. */
export const GOALS: readonly Goal[] = [
  rate('requests', SINGLE, 'portkey', 5, 8),
  rate('requests', SEPARATE, 'portkey', 2.5, 4),
  rate('streams', SINGLE, 'portkey', 2.2),
  rate('streams', SEPARATE, 'portkey', 2.2),
  rate('streams', SINGLE, 'nginx', 1),
  rate('streams', SEPARATE, 'nginx', 0.85),
  rate('burst', SINGLE, 'portkey', 6),
  added(SINGLE, 0.7),
  added(SEPARATE, 1.2),
  firstChunk(SINGLE, 0.66),
  firstChunk(SEPARATE, 1),
  perStream(SINGLE),
  perStream(SEPARATE),
  wakes(SINGLE),
  wakes(SEPARATE),
  {
    scenario: 'stored',
    target: SINGLE,
    text: 'CPU per turn with many stored conversations, × with few (farthest of all)',
    atLeast: 0.9,
    atMost: 1.1,
    measure: worstStoredRatio,
  },
  besideJobs(SINGLE),
  besideJobs(SEPARATE),
  ...[SINGLE, SEPARATE].flatMap((target) => [
    unnoticed(target, 'loopDelayMs', 'event loop late by at most, beside large bodies, in ms'),
    unnoticed(target, 'livezP99Ms', '/livez p99 beside large bodies, in ms'),
  ]),
];

function rate(scenario: 'requests' | 'streams' | 'burst', target: string, base: string, atLeast: number, stretch?: number): Goal {
  const text = `${scenario === 'burst' ? 'burst streams' : scenario}/s, × ${base}`;
  return {
    scenario,
    target,
    text,
    atLeast,
    ...(stretch !== undefined && { stretch }),
    measure: (results) => rateRatio(results, scenario, target, base),
  };
}

function added(target: string, atMost: number): Goal {
  const measure = (results: Results) => addedRatio(results, target, 'portkey', 'p50Ms');
  return { scenario: 'latency', target, text: 'added p50 at 100 requests/s, × portkey', atMost, measure };
}

function firstChunk(target: string, atMost: number): Goal {
  return {
    scenario: 'latency',
    target,
    text: 'first chunk, added p50 in ms',
    atMost,
    measure: (results) => addedMs(results, target, 'firstChunkP50Ms'),
  };
}

function perStream(target: string): Goal {
  const measure = (results: Results) => ratio(memory(results, target), memory(results, 'portkey'));
  return { scenario: 'memory', target, text: 'memory per open slow stream, × portkey', atMost: 0.25, measure };
}

function wakes(target: string): Goal {
  return {
    scenario: 'idle',
    target,
    text: 'first second after the rest, × warm rate',
    atLeast: 0.85,
    measure: (results) => wakeRatio(results, target)?.median,
  };
}

function unnoticed(target: string, figure: 'loopDelayMs' | 'livezP99Ms', text: string): Goal {
  return { scenario: 'hostile', target, text, atMost: 50, measure: (results) => worstBesideBodies(results, target, figure) };
}

function besideJobs(target: string): Goal {
  return {
    scenario: 'audio',
    target,
    text: 'p99 of chat beside 4 speech jobs, × without',
    atMost: 1.1,
    measure: (results) => besideJobsRatio(results, target)?.median,
  };
}
