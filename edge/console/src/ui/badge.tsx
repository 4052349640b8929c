import { cva, type VariantProps } from 'class-variance-authority';
import { type ReactNode } from 'react';

const look = cva('inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap', {
  variants: {
    tone: {
      neutral: 'bg-line/60 text-text',
      accent: 'bg-accent-soft text-accent',
      good: 'bg-good-soft text-good',
      warn: 'bg-warn-soft text-warn',
      bad: 'bg-bad-soft text-bad',
    },
  },
  defaultVariants: { tone: 'neutral' },
});

/** How good a state is: its colour never stands alone, the word is always there. */
export type Tone = NonNullable<VariantProps<typeof look>['tone']>;

/** A state or a kind, in a word. */
export function Badge({ tone, children }: { tone?: Tone; children: ReactNode }) {
  return <span className={look({ tone })}>{children}</span>;
}
