import { clsx } from 'clsx';

interface MeterProps {
  /** What is measured, for screen readers. */
  label: string;
  value: number;
  max: number;
  /** What it says beside the bar, "12 of 100". */
  text: string;
}

/** How much of a bound is used; red when little is left. */
export function Meter({ label, value, max, text }: MeterProps) {
  const share = max > 0 ? Math.min(value / max, 1) : 0;
  const tone = share >= 0.95 ? 'bg-bad' : share >= 0.8 ? 'bg-warn' : 'bg-accent';
  return (
    <div className="flex items-center gap-2">
      <div
        role="meter"
        aria-label={label}
        aria-valuenow={value}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuetext={text}
        className="h-1.5 min-w-16 flex-1 overflow-hidden rounded-full bg-line"
      >
        <div className={clsx('h-full rounded-full', tone)} style={{ width: `${share * 100}%` }} />
      </div>
      <span className="text-xs text-muted tabular-nums">{text}</span>
    </div>
  );
}
