import { type ReactNode } from 'react';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

interface ListFrameProps {
  list: { isPending: boolean; error: Error | null; refetch: () => unknown };
  /** Buttons and filters over the list. */
  toolbar?: ReactNode;
  /** What the tab is about, in a sentence. */
  lead: string;
  children: ReactNode;
}

/** What is around a list: what it is about, its buttons, and what is shown until it is read. */
export function ListFrame({ list, toolbar, lead, children }: ListFrameProps) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-sm text-muted">{lead}</p>
        {toolbar !== undefined && <div className="flex flex-wrap items-center gap-2">{toolbar}</div>}
      </div>
      {list.error ? <ProblemNote error={list.error} onRetry={() => void list.refetch()} /> : list.isPending ? <Skeleton /> : children}
    </>
  );
}
