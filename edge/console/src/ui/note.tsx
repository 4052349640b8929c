import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { type ReactNode } from 'react';

const LOOKS = {
  info: { icon: Info, frame: 'border-line bg-accent-soft', mark: 'text-accent' },
  good: { icon: CircleCheck, frame: 'border-good/40 bg-good-soft', mark: 'text-good' },
  warn: { icon: CircleAlert, frame: 'border-warn/40 bg-warn-soft', mark: 'text-warn' },
  bad: { icon: CircleAlert, frame: 'border-bad/40 bg-bad-soft', mark: 'text-bad' },
} as const;

interface NoteProps {
  tone?: keyof typeof LOOKS;
  /** `alert` for what went wrong, `status` for what came about; without it, it is text of the page. */
  role?: 'alert' | 'status';
  children: ReactNode;
}

/** A word beside the rest: what to know, what came about, what to mind. */
export function Note({ tone = 'info', role, children }: NoteProps) {
  const { icon: Icon, frame, mark } = LOOKS[tone];
  return (
    <div role={role} className={clsx('flex gap-3 rounded-lg border p-3 text-sm', frame)}>
      <Icon className={clsx('mt-0.5 size-4 shrink-0', mark)} aria-hidden />
      <div className="flex min-w-0 flex-1 flex-col gap-1 break-words">{children}</div>
    </div>
  );
}
