import { type ReactNode } from 'react';

interface StatCardProps {
  label: string;
  value: string;
  /** What the number is made of. */
  children?: ReactNode;
  isBad?: boolean;
}

/** One number with its name. */
export function StatCard({ label, value, children, isBad = false }: StatCardProps) {
  return (
    <div className="rounded-xl border bg-surface p-4">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className={isBad ? 'text-2xl font-semibold text-bad tabular-nums' : 'text-2xl font-semibold tabular-nums'}>{value}</dd>
      {children !== undefined && <dd className="text-sm text-muted">{children}</dd>}
    </div>
  );
}

/** Stat cards side by side. */
export function StatCardGrid({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label}>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] gap-3">{children}</dl>
    </section>
  );
}
