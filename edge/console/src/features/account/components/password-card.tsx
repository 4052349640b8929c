import { zodResolver } from '@hookform/resolvers/zod';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { isGuessablePasswordError, newPasswordSchema } from '../../../session/new-password.ts';
import { useRetryAfterSeconds } from '../../../session/use-retry-after-seconds.ts';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { useFieldErrors } from '../../../ui/field-errors.ts';
import { PasswordField } from '../../../ui/password-field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { profileQuery } from '../queries/account.ts';
import { useAccountMutation } from '../queries/use-account-mutation.ts';

const schema = z
  .object({ old_password: z.string().min(1, 'required'), new_password: newPasswordSchema })
  .refine((body) => body.old_password !== body.new_password, { path: ['new_password'], message: 'different' });

/** The password: when it was set, and another one. */
export function PasswordCard() {
  const { t } = useTranslation('account');
  const { data: profile } = useSuspenseQuery(profileQuery);
  const empty = { old_password: '', new_password: '' };
  const { register, handleSubmit, formState, reset } = useForm({ resolver: zodResolver(schema), defaultValues: empty });
  const errorOf = useFieldErrors(formState.errors);
  const change = useAccountMutation(
    (body: z.output<typeof schema>) => unwrap(meClient.POST('/me/v1/password', { body })),
    () => {
      reset(empty);
      announce(t('password.changed'));
    },
  );
  const wait = useRetryAfterSeconds(change);
  const isRefused = change.error !== null && isGuessablePasswordError(change.error, 'new_password');
  if (!profile.has_password) {
    return (
      <Card title={t('password.title')}>
        <p className="text-sm text-muted">{t('password.none')}</p>
      </Card>
    );
  }
  return (
    <Card title={t('password.title')}>
      <form
        noValidate
        className="flex max-w-md flex-col gap-4"
        onSubmit={(event) => void handleSubmit((body) => change.mutate(body))(event)}
      >
        <p className="text-sm text-muted">
          {t('password.text')}
          {profile.password_changed_at !== null && (
            <>
              {' '}
              {t('password.since')} <RelativeTime at={profile.password_changed_at} />
            </>
          )}
        </p>
        <input type="hidden" autoComplete="username" value={profile.email ?? ''} readOnly />
        <PasswordField
          label={t('password.old')}
          error={errorOf('old_password')}
          autoComplete="current-password"
          {...register('old_password')}
        />
        <PasswordField
          label={t('password.new')}
          hint={t('password.rules', { ns: 'common' })}
          error={errorOf('new_password') ?? (isRefused ? t('password.guessable', { ns: 'common' }) : undefined)}
          autoComplete="new-password"
          {...register('new_password')}
        />
        {change.error && !isRefused && <ProblemNote error={change.error} />}
        <Button type="submit" className="self-start" isBusy={change.isPending} disabled={wait > 0}>
          {wait > 0 ? t('waitSeconds', { count: wait }) : t('password.change')}
        </Button>
      </form>
    </Card>
  );
}
