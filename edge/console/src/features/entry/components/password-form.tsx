import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod/mini';
import { type components } from '../../../api/generated/me.ts';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { useRetryAfterSeconds } from '../../../session/use-retry-after-seconds.ts';
import { Button } from '../../../ui/button.tsx';
import { useFieldErrors } from '../../../ui/field-errors.ts';
import { TextField } from '../../../ui/field.tsx';
import { PasswordField } from '../../../ui/password-field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';

type Schemas = components['schemas'];

const schema = z.object({ email: z.email('email'), password: z.string().check(z.minLength(1, 'required')) });

/** Email and password; answers a session, or that a second factor is awaited. */
export function PasswordForm({ onAnswer }: { onAnswer: (answer: Schemas['CurrentSession'] | Schemas['SecondFactorRequired']) => void }) {
  const { t } = useTranslation('entry');
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(schema), defaultValues: { email: '', password: '' } });
  const errorOf = useFieldErrors(formState.errors);
  const signIn = useMutation({
    mutationFn: (body: z.output<typeof schema>) => unwrap(meClient.POST('/me/v1/sign-in', { body })),
    onSuccess: onAnswer,
  });
  const wait = useRetryAfterSeconds(signIn);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => void handleSubmit((body) => wait === 0 && signIn.mutate(body))(event)}
    >
      <TextField
        label={t('email')}
        error={errorOf('email')}
        type="email"
        autoComplete="username"
        // The page is there for this form.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        {...register('email')}
      />
      <PasswordField label={t('password')} error={errorOf('password')} autoComplete="current-password" {...register('password')} />
      {signIn.error && <ProblemNote error={signIn.error} />}
      <Button type="submit" look="primary" isBusy={signIn.isPending} disabled={wait > 0}>
        {wait > 0 ? t('waitSeconds', { count: wait }) : t('signIn.submit')}
      </Button>
    </form>
  );
}
