import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field, Input } from './field.tsx';

interface PasswordFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'type'> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** A password with its label; who wants to can read what was typed. */
export function PasswordField({ label, hint, error, ...rest }: PasswordFieldProps) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => (
        <div className="relative">
          <Input {...rest} {...props} aria-label={label} type={isShown ? 'text' : 'password'} spellCheck={false} className="pe-10" />
          <button
            type="button"
            aria-label={t(isShown ? 'password.hide' : 'password.show')}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-0 end-0 flex w-9 items-center justify-center rounded-md text-muted hover:text-text"
          >
            <Icon className="size-4" aria-hidden />
          </button>
        </div>
      )}
    </Field>
  );
}
