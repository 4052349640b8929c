import { type Point, theilSenSlope } from '../measure/slope.ts';
import { quantile } from '../measure/statistics.ts';
import { type Flatness, type SoakSample } from './results.ts';

/**
 * What a flat line may rise in a minute: a hundredth of its own height, or 1 MiB where that is more. At 200 turns a second 1 MiB a minute
 * is 87 bytes a turn, less than any object that is kept by mistake.
 */
export const FLAT_PER_MINUTE = 0.01;
const FLAT_MIB_PER_MINUTE = 1;
/** The part of a soak that only warms up. */
const WARM_PART = 0.2;
// Garbage collection makes a saw of the line, with teeth of up to two minutes at this rate; what is really held shows at their lower ends.
const TROUGH_SECONDS = 120;

/** Judges the private memory of every program by the robust slope of its troughs once it is warm. A line that falls is flat. */
export function judgeFlatness(samples: readonly SoakSample[]): Flatness[] {
  const warm = samples.slice(Math.floor(samples.length * WARM_PART));
  const programs = new Set(warm.flatMap(({ memory }) => Object.keys(memory)));
  return [...programs].map((program) => {
    const points = warm.map(({ at, memory }) => ({ x: at / 60, y: (memory[program]?.privateKib ?? 0) / 1024 }));
    const medianMib = quantile(
      points.map(({ y }) => y),
      0.5,
    );
    const slopeMibPerMinute = theilSenSlope(troughs(points));
    const perMinute = slopeMibPerMinute / medianMib;
    return {
      program,
      medianMib,
      slopeMibPerMinute,
      perMinute,
      flat: slopeMibPerMinute <= Math.max(FLAT_MIB_PER_MINUTE, FLAT_PER_MINUTE * medianMib),
    };
  });
}

/** The lowest point of each two minutes. */
function troughs(points: readonly Point[]): Point[] {
  const lowest = new Map<number, Point>();
  const [first] = points;
  for (const point of points) {
    const slot = Math.floor(((point.x - (first?.x ?? 0)) * 60) / TROUGH_SECONDS);
    const known = lowest.get(slot);
    if (!known || point.y < known.y) lowest.set(slot, point);
  }
  return [...lowest.values()];
}
