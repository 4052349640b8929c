import pg from 'pg';
import { LoadProcess } from '../load/load-process.ts';
import { type ClosedLoopJob, type JobResult } from '../load/protocol.ts';
import { descendantsOf, readStat } from '../measure/processes.ts';
import { requestFor } from '../run/request-for.ts';
import { type Rig, type StartedTarget } from '../run/rig.ts';
import { parleySeparate } from '../targets/parley-separate.ts';
import { Ballast } from './ballast.ts';
import { type ScalingOptions } from './options.ts';
import { Replicas } from './replicas.ts';
import { type ScalingResults, type ScalingWindow } from './results.ts';

/** Of `/proc/<pid>/stat`, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
/** Code is compiled in so many turns of each edge, while it may still use the whole core; no longer than this. */
const COMPILE_TURNS = 15_000;
const COMPILE_MS = 120_000;
const WARM_MS = 3_000;

/** Measures one replica, then one more at a time, each round the other way round. */
export async function runScaling(
  rig: Rig,
  options: ScalingOptions,
  say: (line: string) => void,
): Promise<Pick<ScalingResults, 'options' | 'windows' | 'databaseBytesPerTurn' | 'verification'>> {
  const target = await rig.startTarget(parleySeparate);
  const emptyBytes = await databaseBytes(target);
  const windows: ScalingWindow[] = [];
  const counts = Array.from({ length: options.replicas }, (_, at) => at + 1);
  for (let round = 1; round <= options.rounds; round++) {
    for (const count of round % 2 === 1 ? counts : counts.toReversed()) {
      const window = { replicas: count, round, ...(await measureWith(rig, target, count, options)) };
      say(`scaling ${round}: ${count} of each: ${window.perSecond.toFixed(0)}/s`);
      windows.push(window);
    }
  }
  const verification = (await target.running.verify?.(target)) ?? { ok: false, summary: 'there is no record' };
  const databaseBytesPerTurn = ((await databaseBytes(target)) - emptyBytes) / target.answered;
  return { options, windows, databaseBytesPerTurn, verification };
}

async function databaseBytes({ running }: StartedTarget): Promise<number> {
  const client = new pg.Client({ connectionString: running.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
    return Number(rows[0]?.bytes);
  } finally {
    await client.end();
  }
}

type Figures = Omit<ScalingWindow, 'replicas' | 'round'>;

async function measureWith(rig: Rig, target: StartedTarget, count: number, options: ScalingOptions): Promise<Figures> {
  const replicas = await Replicas.start(target.running, count);
  const loads: LoadProcess[] = [];
  const ballast: Ballast[] = [];
  try {
    while (loads.length < count) loads.push(await LoadProcess.start(rig.pinning.loadCore));
    for (let absent = options.replicas - count; absent > 0; absent--) ballast.push(await Ballast.start(options.edge + options.routing));
    return await measure(target, replicas, loads, options);
  } finally {
    await Promise.all([...loads, ...ballast].map((child) => child.stop()));
    await replicas.stop();
  }
}

async function measure(
  target: StartedTarget,
  replicas: Replicas,
  loads: readonly LoadProcess[],
  { edge, routing, seconds, connections }: ScalingOptions,
): Promise<Figures> {
  const job: ClosedLoopJob = { kind: 'closed-loop', ...requestFor(target, 'fast', false), connections, warmMs: 0, windowMs: COMPILE_MS };
  await loadAll(target, replicas, loads, { ...job, turns: COMPILE_TURNS });
  await replicas.limit({ edge, routing });
  const ticks: Ticks[] = [];
  const measured: ClosedLoopJob = { ...job, warmMs: WARM_MS, windowMs: seconds * 1_000 };
  const results = await loadAll(target, replicas, loads, measured, () => ticks.push(readTicks(target, replicas)));
  const used = (by: keyof Ticks) => ((ticks[1]?.[by] ?? 0) - (ticks[0]?.[by] ?? 0)) / TICKS_PER_SECOND / seconds;
  return {
    perSecond: results.reduce((sum, result) => sum + result.answered / result.seconds, 0),
    edgeUsed: used('edges') / ((edge / 100) * replicas.edges.length),
    routingUsed: used('routings') / ((routing / 100) * replicas.routings.length),
    otherCores: used('others'),
    failures: failuresOf(results),
  };
}

/** Loads every edge at once; `onEdge` is called at both edges of the first one's window. */
async function loadAll(
  target: StartedTarget,
  { urls }: Replicas,
  loads: readonly LoadProcess[],
  job: ClosedLoopJob,
  onEdge: () => void = () => undefined,
): Promise<JobResult[]> {
  const ignored = () => undefined;
  const results = await Promise.all(loads.map((load, at) => load.run({ ...job, url: urls[at] ?? job.url }, at === 0 ? onEdge : ignored)));
  for (const { answeredEver } of results) target.answered += answeredEver;
  return results;
}

function failuresOf(results: readonly JobResult[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const { failures } of results) for (const [reason, times] of Object.entries(failures)) all[reason] = (all[reason] ?? 0) + times;
  return all;
}

/** Clock ticks that processes have used. */
interface Ticks {
  edges: number;
  routings: number;
  others: number;
}

function readTicks(target: StartedTarget, { edges, routings }: Replicas): Ticks {
  return { edges: ticksOf(edges), routings: ticksOf(routings), others: ticksOf(descendantsOf(target.running.pids())) };
}

function ticksOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (readStat(pid)?.ticks ?? 0), 0);
}
