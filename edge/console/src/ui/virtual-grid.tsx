import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface VirtualGridProps {
  /** What the cards are, for screen readers. */
  label: string;
  count: number;
  /** Of a card, in pixels: as many stand side by side as have room. */
  minWidth: number;
  /** Of a card, in pixels, until it was measured. */
  estimatedHeight: number;
  children: (index: number) => ReactNode;
  /** The first and the last card that are in sight, or nearly. */
  onSight?: (first: number, last: number) => void;
}

const GAP = 12;
const OVERSCAN = 1;

/** Cards of any number, side by side: only those in sight are in the page. It scrolls with the page. */
export function VirtualGrid({ label, count, minWidth, estimatedHeight, children, onSight }: VirtualGridProps) {
  const list = useRef<HTMLDivElement>(null);
  const [{ columns, margin }, setPlace] = useState({ columns: 1, margin: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    const main = element?.closest('main');
    if (!element || !main) return;
    const place = () => {
      const fitting = Math.max(1, Math.floor((element.clientWidth + GAP) / (minWidth + GAP)));
      const top = Math.round(element.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop);
      setPlace((old) => (old.columns === fitting && old.margin === top ? old : { columns: fitting, margin: top }));
    };
    const observer = new ResizeObserver(place);
    observer.observe(element);
    place();
    return () => observer.disconnect();
  }, [minWidth]);
  const virtual = useVirtualizer({
    count: Math.ceil(count / columns),
    getScrollElement: () => list.current?.closest('main') ?? null,
    estimateSize: () => estimatedHeight,
    gap: GAP,
    overscan: OVERSCAN,
    // Several turns of a wheel in one frame are drawn once.
    useFlushSync: false,
    scrollMargin: margin,
    onChange: ({ range }) => {
      if (range) onSight?.(Math.max(0, range.startIndex - OVERSCAN) * columns, (range.endIndex + 1 + OVERSCAN) * columns - 1);
    },
  });
  const items = virtual.getVirtualItems();
  const drawn = useOneByOne(items.map(({ index }) => index));
  return (
    <div ref={list} role="list" aria-label={label} className="relative" style={{ height: virtual.getTotalSize() }}>
      {items.map(({ key, index, start }) => (
        <div
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          role="none"
          className="absolute inset-x-0 grid gap-3"
          style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, transform: `translateY(${start - margin}px)` }}
        >
          {Array.from({ length: Math.min(columns, count - index * columns) }, (_, column) => {
            const at = index * columns + column;
            return (
              <div key={at} role="listitem" aria-setsize={count} aria-posinset={at + 1} className="min-w-0">
                {drawn.has(index) ? children(at) : <CardPlaceholder height={estimatedHeight} />}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** The placeholder of a card that is not drawn or not read yet. */
export function CardPlaceholder({ height }: { height: number }) {
  return <div className="animate-pulse rounded-xl border bg-line/40" style={{ height }} aria-hidden />;
}

/** Which of the rows in sight are drawn: one more in each frame, in slices between which the page answers to its user. */
function useOneByOne(rows: readonly number[]): ReadonlySet<number> {
  const [drawn, setDrawn] = useState<ReadonlySet<number>>(() => new Set());
  const next = rows.find((row) => !drawn.has(row));
  useEffect(() => {
    if (next === undefined) return undefined;
    const draw = () => setDrawn((old) => new Set([...rows.filter((row) => old.has(row)), next]));
    const frame = requestAnimationFrame(() => startTransition(draw));
    return () => cancelAnimationFrame(frame);
  }, [rows, next]);
  return drawn;
}
