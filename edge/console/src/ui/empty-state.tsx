import { type LucideIcon } from 'lucide-react';
import { type ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** What would be here, and why it is worth having. */
  children: ReactNode;
  /** The first step: a button or a link. */
  action?: ReactNode;
}

/** In place of an empty list: what it is, and how it begins. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-xl border border-dashed px-6 py-12 text-center">
      <Icon className="size-8 text-muted" aria-hidden />
      <h2>{title}</h2>
      <div className="max-w-prose text-sm text-muted">{children}</div>
      {action}
    </div>
  );
}
