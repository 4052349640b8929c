import { ratio } from '../measure/statistics.ts';
import { type Results, type Scenario } from '../results.ts';
import {
  addedMs,
  addedRatio,
  besideJobsRatio,
  costEach,
  idleCores,
  memory,
  rateRatio,
  wakeRatio,
  walEach,
  worstBesideBodies,
  worstStoredRatio,
} from './figures.ts';

const SINGLE = 'parley-single';
const SEPARATE = 'parley-separate';
const BYTES_PER_KIB = 1_024;

/** Something that a run is to show. Bounds are inclusive; `measure` is undefined where the run does not hold what it needs. */
export interface Goal {
  scenario: Scenario;
  target: string;
  text: string;
  atLeast?: number;
  atMost?: number;
  /** A better value, on the same side. */
  aim?: number;
  measure: (results: Results) => number | undefined;
}

/** What Parley is to reach, as ratios within one run; docs/benchmarks.md says where it stands. */
export const GOALS: readonly Goal[] = [
  cost(SINGLE, 4.5, 3),
  cost(SEPARATE, 6.5, 4.5),
  wal(SINGLE),
  wal(SEPARATE),
  idle(SINGLE),
  rate('requests', SINGLE, 3, 5),
  rate('requests', SEPARATE, 2.2, 3),
  rate('streams', SINGLE, 2.5, 3),
  rate('streams', SEPARATE, 2.2, 2.6),
  rate('burst', SINGLE, 4, 6),
  rate('burst', SEPARATE, 3),
  added(SINGLE, 1, 0.7),
  added(SEPARATE, 1.3),
  firstChunk(SINGLE, 1.2, 0.7),
  firstChunk(SEPARATE, 2),
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

function cost(target: string, atMost: number, aim: number): Goal {
  const measure = (results: Results) => ratio(costEach(results, target, 'new'), costEach(results, 'node-proxy', 'new'));
  return { scenario: 'cost', target, text: 'CPU of a whole non-streaming turn, × node-proxy', atMost, aim, measure };
}

function wal(target: string): Goal {
  const measure = (results: Results) => {
    const bytes = walEach(results, target, 'new')?.median;
    return bytes === undefined ? undefined : bytes / BYTES_PER_KIB;
  };
  return { scenario: 'cost', target, text: 'WAL of a turn in KiB', atMost: 6, aim: 4, measure };
}

function idle(target: string): Goal {
  const measure = (results: Results) => {
    const cores = idleCores(results, target)?.median;
    return cores === undefined ? undefined : cores * 100;
  };
  return { scenario: 'cost', target, text: 'CPU of all processes without load, % of a core', atMost: 0.5, measure };
}

function rate(scenario: 'requests' | 'streams' | 'burst', target: string, atLeast: number, aim?: number): Goal {
  const text = `sustained ${scenario === 'burst' ? 'burst streams' : scenario}/s, × portkey`;
  const measure = (results: Results) => rateRatio(results, scenario, target, 'portkey');
  return { scenario, target, text, atLeast, ...(aim !== undefined && { aim }), measure };
}

function added(target: string, atMost: number, aim?: number): Goal {
  const measure = (results: Results) => addedRatio(results, target, 'portkey', 'p50Ms');
  const text = 'added p50 at 100 requests/s, × portkey';
  return { scenario: 'latency', target, text, atMost, ...(aim !== undefined && { aim }), measure };
}

function firstChunk(target: string, atMost: number, aim?: number): Goal {
  const measure = (results: Results) => addedMs(results, target, 'firstChunkP50Ms');
  const text = 'first chunk, added p50 in ms';
  return { scenario: 'latency', target, text, atMost, ...(aim !== undefined && { aim }), measure };
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
    atMost: 1.15,
    aim: 1.05,
    measure: (results) => besideJobsRatio(results, target)?.median,
  };
}
