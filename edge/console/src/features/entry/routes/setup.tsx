import { useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { buttonVariants } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { Snippet } from '../../../ui/snippet.tsx';
import { MissingTokenNote } from '../components/missing-token-note.tsx';
import { NewAccountForm } from '../components/new-account-form.tsx';
import { SignedOutLayout } from '../components/signed-out-layout.tsx';
import { forgetToken } from '../queries/link-token.ts';
import { SETUP_COMMAND } from '../queries/setup-command.ts';
import { signInOptionsQuery, useStartSession } from '../queries/sign-in.ts';

export const Route = createLazyRoute('/setup')({ component: SetupPage });

function SetupPage() {
  const { t } = useTranslation('entry');
  const { linkToken } = Route.useRouteContext();
  const { data: options } = useSuspenseQuery(signInOptionsQuery);
  const enter = useStartSession();
  if (!options.setup_open) {
    return (
      <SignedOutLayout title={t('setup.title')}>
        <Note>{t('setup.closed')}</Note>
        <Link to="/sign-in" className={buttonVariants({ look: 'primary' })}>
          {t('toSignIn')}
        </Link>
      </SignedOutLayout>
    );
  }
  if (linkToken === undefined) {
    return (
      <SignedOutLayout title={t('setup.title')}>
        <MissingTokenNote>{t('setup.noToken')}</MissingTokenNote>
        <Snippet code={SETUP_COMMAND} label={t('setup.command')} />
      </SignedOutLayout>
    );
  }
  return (
    <SignedOutLayout title={t('setup.title')} lead={t('setup.lead')}>
      <NewAccountForm
        submit={t('setup.submit')}
        onSubmit={async (account) => {
          const session = await unwrap(meClient.POST('/me/v1/setup', { body: { token: linkToken, ...account } }));
          forgetToken('setup');
          enter(session, '/');
        }}
      />
    </SignedOutLayout>
  );
}
