import { clsx } from 'clsx';
import { type ReactNode, useEffect } from 'react';

interface PageProps {
  title: string;
  /** What the page is for, in a sentence. */
  lead?: ReactNode;
  /** Buttons of the page. */
  actions?: ReactNode;
  /** The whole height and width, for pages that scroll inside. */
  isFull?: boolean;
  children: ReactNode;
}

/** A screen: its title, what it is for, its buttons, and what it shows. The title is that of the tab as well. */
export function Page({ title, lead, actions, isFull = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  return (
    <div className={clsx('flex flex-col gap-5', isFull ? 'h-full min-h-0' : 'mx-auto w-full max-w-[110rem]')}>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h1 className="break-words">{title}</h1>
          {lead !== undefined && <p className="mt-0.5 max-w-prose text-sm text-muted">{lead}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
