/** Median with the smallest and largest value. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** The q-quantile (0–1) of unsorted values, interpolated between neighbours; NaN of none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

/** Median, smallest and largest of some values; undefined of none. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  return { median: quantile(values, 0.5), min: Math.min(...values), max: Math.max(...values) };
}

/** The ratio of two medians; undefined where one is missing or nothing can be divided by. */
export function ratio(value: Spread | undefined, base: Spread | undefined): number | undefined {
  return value === undefined || base === undefined || base.median === 0 ? undefined : value.median / base.median;
}
