import { clsx } from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';

interface FieldProps {
  label: ReactNode;
  /** What belongs into it, under it. */
  hint?: ReactNode;
  /** What is wrong with it. */
  error?: string | undefined;
}

interface ControlProps {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** A label, a control, what belongs into it and what is wrong with it, tied together for screen readers. */
export function Field({ label, hint, error, children }: FieldProps & { children: (props: ControlProps) => ReactNode }) {
  const id = useId();
  const describedBy = [hint !== undefined && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy || undefined })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

/** A line of text with its label. */
export function TextField({ label, hint, error, className, ...rest }: FieldProps & Omit<ComponentProps<'input'>, 'id'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => <input {...rest} {...props} className={clsx('control control-line', className)} />}
    </Field>
  );
}

/** Several lines of text with their label. */
export function TextArea({ label, hint, error, className, ...rest }: FieldProps & Omit<ComponentProps<'textarea'>, 'id'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => <textarea rows={4} {...rest} {...props} className={clsx('control', className)} />}
    </Field>
  );
}

/** A choice of the browser's own kind, which works with every keyboard, reader and phone. */
export function SelectField({ label, hint, error, className, children, ...rest }: FieldProps & Omit<ComponentProps<'select'>, 'id'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => (
        <select {...rest} {...props} className={clsx('control control-line', className)}>
          {children}
        </select>
      )}
    </Field>
  );
}

/** A choice without a visible label, for toolbars. */
export function Select({ className, ...rest }: ComponentProps<'select'> & { 'aria-label': string }) {
  return <select {...rest} className={clsx('control control-line control-short', className)} />;
}

/** A line of text without a visible label, for toolbars. */
export function Input({ className, ...rest }: ComponentProps<'input'> & { 'aria-label': string }) {
  return <input {...rest} className={clsx('control control-line', className)} />;
}

/** Yes or no, with its label behind it. */
export function CheckField({ label, hint, error, className, ...rest }: FieldProps & Omit<ComponentProps<'input'>, 'id' | 'type'>) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <input
        {...rest}
        id={id}
        type="checkbox"
        aria-invalid={error ? true : undefined}
        aria-describedby={hint === undefined && !error ? undefined : `${id}-hint`}
        className={clsx('mt-1 size-4 accent-accent', className)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {(hint !== undefined || error) && (
          <p id={`${id}-hint`} className={clsx('text-sm', error ? 'text-bad' : 'text-muted')}>
            {error ?? hint}
          </p>
        )}
      </div>
    </div>
  );
}
