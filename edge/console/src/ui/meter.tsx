import { clsx } from 'clsx';

interface MeterProps {
  /** What is measured, for screen readers. */
  label: string;
  value: number;
  max: number;
  /** What it says beside the bar, "12 of 100". */
  text: string;
  /** The bar is under the text, where there is little room. */
  isStacked?: boolean;
}

/** How much of a bound is used; red when little is left. */
export function Meter({ label, value, max, text, isStacked = false }: MeterProps) {
  const share = max > 0 ? Math.min(value / max, 1) : 0;
  const tone = share >= 0.95 ? 'bg-bad' : share >= 0.8 ? 'bg-warn' : 'bg-accent';
  return (
    <div className={clsx('flex gap-x-2', isStacked ? 'flex-col-reverse gap-y-1' : 'items-center')}>
      <div
        role="meter"
        aria-label={label}
        aria-valuenow={value}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuetext={text}
        className={clsx('overflow-hidden rounded-full bg-line', isStacked ? 'h-1' : 'h-1.5 min-w-16 flex-1')}
      >
        <div className={clsx('h-full rounded-full', tone)} style={{ width: `${share * 100}%` }} />
      </div>
      <span className="min-w-0 truncate text-xs text-muted tabular-nums" title={text}>
        {text}
      </span>
    </div>
  );
}
