import { type Turn } from '../gateway/response-schemas.ts';
import { formatTable } from './format-table.ts';

const WIDTH = 32;

/** Formats the time line of a turn: each event with its time, and a bar since the event before it. */
export function formatTimeline({ timeline }: Pick<Turn, 'timeline'>): string {
  const total = Math.max(1, timeline.at(-1)?.at_ms ?? 1);
  const column = (ms: number) => Math.min(WIDTH - 1, Math.max(0, Math.floor((ms / total) * WIDTH)));
  const rows = timeline.map(({ at_ms, event, detail }, at) => {
    const from = column(timeline[at - 1]?.at_ms ?? at_ms);
    const to = column(at_ms);
    const bar = `${' '.repeat(from)}${'█'.repeat(to - from)}▏`.padEnd(WIDTH + 1);
    return [`${at_ms} ms`.padStart(10), bar, event, detail];
  });
  return formatTable(['        at', 'time', 'event', 'detail'], rows);
}
