import { type ReactNode } from 'react';

/** A number that matters, with its name; the name comes first for screen readers. */
export function StatTile({ name, value, note }: { name: string; value: string; note?: ReactNode }) {
  return (
    <div className="rounded-xl border bg-surface px-4 py-3">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-2xl font-semibold tabular-nums">
        {value}
        {note !== undefined && <span className="block text-sm font-normal text-muted">{note}</span>}
      </dd>
    </div>
  );
}

/** Stat tiles side by side. */
export function StatTileGrid({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-2 gap-3 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">{children}</dl>;
}
