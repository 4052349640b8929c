import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';

interface CardProps {
  title?: ReactNode;
  /** Beside the title. */
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A part of a page with a frame, and a region with a name where it has a title. */
export function Card({ title, actions, className, children }: CardProps) {
  const id = useId();
  return (
    <section {...(title !== undefined && { 'aria-labelledby': id })} className={clsx('rounded-xl border bg-surface p-4', className)}>
      {(title !== undefined || actions !== undefined) && (
        <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
          {title !== undefined && <h2 id={id}>{title}</h2>}
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}
