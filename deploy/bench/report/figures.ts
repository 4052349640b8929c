import { quantile, ratio, type Spread, spreadOf } from '../measure/statistics.ts';
import {
  type AudioWindow,
  type CostTurns,
  type CostWindow,
  type HostileWindow,
  type IdleWindow,
  type LatencyWindow,
  type MemoryWindow,
  type Results,
  type StoredTurns,
  type StoredWindow,
  type ThroughputScenario,
  type ThroughputWindow,
} from '../results.ts';
import { SMALL_DATABASE } from '../run/settings.ts';

type LatencyFigure = 'p50Ms' | 'p99Ms' | 'firstChunkP50Ms' | 'chunkDelayP50Ms';

/** Sustained rates of one target in one flat-out scenario. */
function rates(results: Results, scenario: ThroughputScenario, target: string): Spread | undefined {
  const windows = results.windows.filter((window): window is ThroughputWindow => window.kind === scenario && window.target === target);
  return spreadOf(windows.map(({ sustainedPerSecond }) => sustainedPerSecond));
}

/** CPU µs of a whole turn. */
export function costEach(results: Results, target: string, turns: CostTurns): Spread | undefined {
  return spreadOf(costWindows(results, target, turns).map(({ cpuMicrosEach }) => cpuMicrosEach));
}

/** CPU of an idle target, in cores. */
export function idleCores(results: Results, target: string): Spread | undefined {
  return spreadOf(costWindows(results, target, 'new').map((window) => window.idleCores));
}

/** WAL bytes of a turn. */
export function walEach(results: Results, target: string, turns: CostTurns): Spread | undefined {
  const bytes = costWindows(results, target, turns).map(({ wal }) => wal?.bytesEach);
  return spreadOf(bytes.filter((value) => value !== undefined));
}

function costWindows(results: Results, target: string, turns: CostTurns): CostWindow[] {
  return results.windows.filter(
    (window): window is CostWindow => window.kind === 'cost' && window.target === target && window.turns === turns,
  );
}

/** Median sustained rate of a target as a multiple of another's. */
export function rateRatio(results: Results, scenario: ThroughputScenario, target: string, base: string): number | undefined {
  return ratio(rates(results, scenario, target), rates(results, scenario, base));
}

/** Median of a time that a target adds over `direct`, in ms. */
export function addedMs(results: Results, target: string, figure: LatencyFigure): number | undefined {
  const [own, direct] = [latency(results, target, figure), latency(results, 'direct', figure)];
  return own === undefined || direct === undefined || target === 'direct' ? undefined : own - direct;
}

/** Median of a latency figure in ms. */
export function latency(results: Results, target: string, figure: LatencyFigure): number | undefined {
  const windows = results.windows.filter((window): window is LatencyWindow => window.kind === 'latency' && window.target === target);
  return spreadOf(windows.map((window) => window[figure]))?.median;
}

/** What one target adds as a part of what another adds; undefined where the other adds nothing. */
export function addedRatio(results: Results, target: string, base: string, figure: LatencyFigure): number | undefined {
  const [own, other] = [addedMs(results, target, figure), addedMs(results, base, figure)];
  return own === undefined || other === undefined || other <= 0 ? undefined : own / other;
}

/** KiB per open stream. */
export function memory(results: Results, target: string): Spread | undefined {
  const windows = results.windows.filter((window): window is MemoryWindow => window.kind === 'memory' && window.target === target);
  return spreadOf(windows.map(({ kibPerStream }) => kibPerStream));
}

/** First second after the rest as a part of the warm rate, per round. */
export function wakeRatio(results: Results, target: string): Spread | undefined {
  const windows = results.windows.filter((window): window is IdleWindow => window.kind === 'idle' && window.target === target);
  return spreadOf(windows.map((window) => window.ratio));
}

/** p99 of chat beside speech jobs as a multiple of that without, per round. */
export function besideJobsRatio(results: Results, target: string): Spread | undefined {
  const windows = results.windows.filter((window): window is AudioWindow => window.kind === 'audio' && window.target === target);
  return spreadOf(windows.map(({ p99Ms, besideJobsP99Ms }) => besideJobsP99Ms / p99Ms));
}

/** Cost (CPU) or rate of turns on the grown database as a multiple of the small one's, round by round. */
export function storedRatio(results: Results, size: number, turns: StoredTurns, figure: 'cpuMicrosEach' | 'perSecond'): Spread | undefined {
  const own = storedWindows(results, size, turns);
  const ratios = own
    .filter(({ database }) => database === 'grown')
    .map((grown) => {
      const small = own.find(({ database, round }) => database === 'small' && round === grown.round);
      return small === undefined ? Number.NaN : grown[figure] / small[figure];
    });
  return spreadOf(ratios.filter(Number.isFinite));
}

/** The stored windows of one size and kind of turn. */
export function storedWindows(results: Results, size: number, turns: StoredTurns): StoredWindow[] {
  return results.windows.filter(
    (window): window is StoredWindow => window.kind === 'stored' && window.size === size && window.turns === turns,
  );
}

/** Sizes that were compared, ascending. */
export function storedSizes(results: Results): number[] {
  const sizes = results.windows.filter((window): window is StoredWindow => window.kind === 'stored').map(({ size }) => size);
  return [...new Set(sizes)].sort((a, b) => a - b);
}

/** The cost ratio of all sizes and kinds that is farthest from 1, the median of its rounds; the smallest size is what they are compared with. */
export function worstStoredRatio(results: Results): number | undefined {
  const ratios = storedSizes(results)
    .filter((size) => size > SMALL_DATABASE)
    .flatMap((size) => (['new', 'continued'] as const).map((turns) => storedRatio(results, size, turns, 'cpuMicrosEach')?.median));
  const known = ratios.filter((value) => value !== undefined);
  const farthest = quantile(
    known.map((value) => Math.abs(value - 1)),
    1,
  );
  return known.find((value) => Math.abs(value - 1) === farthest);
}

/** The worst of all kinds of large bodies, each the median of its rounds, in ms. */
export function worstBesideBodies(results: Results, target: string, figure: 'loopDelayMs' | 'livezP99Ms'): number | undefined {
  const windows = results.windows.filter((window): window is HostileWindow => window.kind === 'hostile' && window.target === target);
  const medians = [...new Set(windows.map(({ body }) => body))].map(
    (body) => spreadOf(windows.filter((window) => window.body === body).map((window) => window[figure]))?.median,
  );
  return medians.length === 0 ? undefined : Math.max(...medians.map((median) => median ?? Number.NaN));
}
