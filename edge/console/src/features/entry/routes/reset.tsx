import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod/mini';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { isGuessablePasswordError, newPasswordSchema } from '../../../session/new-password.ts';
import { Button } from '../../../ui/button.tsx';
import { useFieldErrors } from '../../../ui/field-errors.ts';
import { PasswordField } from '../../../ui/password-field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { MissingTokenNote } from '../components/missing-token-note.tsx';
import { SignedOutLayout } from '../components/signed-out-layout.tsx';
import { forgetToken } from '../queries/link-token.ts';

export const Route = createLazyRoute('/reset')({ component: ResetPage });

const schema = z.object({ password: newPasswordSchema });

function ResetPage() {
  const { t } = useTranslation('entry');
  const { linkToken } = Route.useRouteContext();
  return (
    <SignedOutLayout title={t('reset.title')} lead={linkToken === undefined ? undefined : t('reset.lead')}>
      {linkToken === undefined ? <MissingTokenNote>{t('reset.noToken')}</MissingTokenNote> : <ResetForm token={linkToken} />}
    </SignedOutLayout>
  );
}

function ResetForm({ token }: { token: string }) {
  const { t } = useTranslation('entry');
  const navigate = useNavigate();
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(schema), defaultValues: { password: '' } });
  const errorOf = useFieldErrors(formState.errors);
  const reset = useMutation({
    mutationFn: (body: { password: string }) => unwrap(meClient.POST('/me/v1/password/reset', { body: { token, ...body } })),
    onSuccess: () => {
      forgetToken('reset');
      return navigate({ to: '/sign-in', search: { reason: 'reset' } });
    },
  });
  const isRefused = reset.error !== null && isGuessablePasswordError(reset.error, 'password');
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void handleSubmit((body) => reset.mutate(body))(event)}>
      <PasswordField
        label={t('newPassword')}
        hint={t('password.rules', { ns: 'common' })}
        error={errorOf('password') ?? (isRefused ? t('password.guessable', { ns: 'common' }) : undefined)}
        autoComplete="new-password"
        {...register('password')}
      />
      {reset.error && !isRefused && <ProblemNote error={reset.error} />}
      <Button type="submit" look="primary" isBusy={reset.isPending}>
        {t('reset.submit')}
      </Button>
    </form>
  );
}
