import { cva, type VariantProps } from 'class-variance-authority';
import { clsx } from 'clsx';
import { LoaderCircle } from 'lucide-react';
import { type ComponentProps } from 'react';

/** The classes of the variants of a button, also for links that look like one. */
export const buttonVariants = cva('button', {
  variants: {
    look: {
      primary: 'bg-accent text-accent-text hover:bg-accent/90',
      secondary: 'border border-control/60 bg-surface hover:bg-canvas',
      ghost: 'hover:bg-accent-soft',
      danger: 'border border-bad text-bad hover:bg-bad-soft',
    },
    size: { small: 'button-small', normal: 'button-normal', icon: 'button-icon' },
  },
  defaultVariants: { look: 'secondary', size: 'normal' },
});

interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonVariants> {
  /** Shows that it works, and takes no second press. */
  isBusy?: boolean;
}

/** A button; of type `button` by default. */
export function Button({ look, size, isBusy = false, className, children, disabled, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy || undefined}
      className={clsx(buttonVariants({ look, size }), className)}
    >
      {isBusy && <LoaderCircle className="size-4 animate-spin" aria-hidden />}
      {children}
    </button>
  );
}
