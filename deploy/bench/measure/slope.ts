import { quantile } from './statistics.ts';

/** A point of a series over time. */
export interface Point {
  x: number;
  y: number;
}

/** Slope of a line through points by Theil and Sen: the median of the slopes of all pairs, which a third of wild points does not move. NaN of fewer than two. */
export function theilSenSlope(points: readonly Point[]): number {
  const slopes: number[] = [];
  for (const [i, a] of points.entries()) {
    for (const b of points.slice(i + 1)) if (b.x !== a.x) slopes.push((b.y - a.y) / (b.x - a.x));
  }
  return quantile(slopes, 0.5);
}
