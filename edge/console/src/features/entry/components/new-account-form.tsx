import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod/mini';
import { isGuessablePasswordError, newPasswordSchema } from '../../../session/new-password.ts';
import { Button } from '../../../ui/button.tsx';
import { useFieldErrors } from '../../../ui/field-errors.ts';
import { TextField } from '../../../ui/field.tsx';
import { PasswordField } from '../../../ui/password-field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';

const schema = z
  .object({
    display_name: z.string().check(z.trim(), z.minLength(1, 'required'), z.maxLength(200, 'tooLong')),
    email: z.email('email'),
    password: newPasswordSchema,
  })
  .check(
    z.refine(({ email, password }) => ![email, email.split('@', 1)[0]].includes(password.toLowerCase()), {
      path: ['password'],
      message: 'isEmail',
    }),
  );

/** The fields of a new account. */
export type NewAccount = z.output<typeof schema>;

interface NewAccountFormProps {
  /** The email that an invitation is bound to. */
  email?: string;
  submit: string;
  onSubmit: (account: NewAccount) => Promise<unknown>;
}

/** Asks for the name, the email and the password of a new account. */
export function NewAccountForm({ email, submit, onSubmit }: NewAccountFormProps) {
  const { t } = useTranslation('entry');
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { display_name: '', email: email ?? '', password: '' },
  });
  const errorOf = useFieldErrors(formState.errors);
  const make = useMutation({ mutationFn: onSubmit });
  const isRefused = make.error !== null && isGuessablePasswordError(make.error, 'password');
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void handleSubmit((account) => make.mutate(account))(event)}>
      <TextField label={t('name')} error={errorOf('display_name')} autoComplete="name" {...register('display_name')} />
      <TextField
        label={t('email')}
        hint={email === undefined ? undefined : t('emailBound')}
        error={errorOf('email')}
        type="email"
        autoComplete="username"
        readOnly={email !== undefined}
        {...register('email')}
      />
      <PasswordField
        label={t('password')}
        hint={t('password.rules', { ns: 'common' })}
        error={errorOf('password') ?? (isRefused ? t('password.guessable', { ns: 'common' }) : undefined)}
        autoComplete="new-password"
        {...register('password')}
      />
      {make.error && !isRefused && <ProblemNote error={make.error} />}
      <Button type="submit" look="primary" isBusy={make.isPending}>
        {submit}
      </Button>
    </form>
  );
}
