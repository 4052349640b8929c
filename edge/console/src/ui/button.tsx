import { cva, type VariantProps } from 'class-variance-authority';
import { LoaderCircle } from 'lucide-react';
import { type ComponentProps } from 'react';
import { classes } from './classes.ts';

/** The look of a button, for links that look like one too. */
export const buttonLook = cva(
  'inline-flex items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap transition-colors disabled:opacity-55 aria-disabled:opacity-55',
  {
    variants: {
      look: {
        primary: 'bg-accent text-accent-text hover:bg-accent/90',
        secondary: 'border border-control/60 bg-surface hover:bg-canvas',
        ghost: 'hover:bg-accent-soft',
        danger: 'border border-bad text-bad hover:bg-bad-soft',
      },
      size: { small: 'h-8 px-2.5 text-sm', normal: 'h-9 px-3.5', icon: 'size-9' },
    },
    defaultVariants: { look: 'secondary', size: 'normal' },
  },
);

interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonLook> {
  /** Shows that it works, and takes no second press. */
  isBusy?: boolean;
}

/** A button; of type `button` unless told otherwise. */
export function Button({ look, size, isBusy = false, className, children, disabled, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy || undefined}
      className={classes(buttonLook({ look, size }), className)}
    >
      {isBusy && <LoaderCircle className="size-4 animate-spin" aria-hidden />}
      {children}
    </button>
  );
}
