import { useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { me } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { buttonLook } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { Snippet } from '../../../ui/snippet.tsx';
import { AccountForm } from '../components/account-form.tsx';
import { EntryFrame } from '../components/entry-frame.tsx';
import { NoToken } from '../components/no-token.tsx';
import { signInOptionsQuery, useEnter } from '../queries/entry.ts';
import { forgetToken } from '../queries/link-token.ts';
import { SETUP_COMMAND } from '../queries/setup-command.ts';

export const Route = createLazyRoute('/setup')({ component: SetupPage });

function SetupPage() {
  const { t } = useTranslation('entry');
  const { linkToken } = Route.useRouteContext();
  const { data: options } = useSuspenseQuery(signInOptionsQuery);
  const enter = useEnter();
  if (!options.setup_open) {
    return (
      <EntryFrame title={t('setup.title')}>
        <Note>{t('setup.closed')}</Note>
        <Link to="/sign-in" className={buttonLook({ look: 'primary' })}>
          {t('toSignIn')}
        </Link>
      </EntryFrame>
    );
  }
  if (linkToken === undefined) {
    return (
      <EntryFrame title={t('setup.title')}>
        <NoToken>{t('setup.noToken')}</NoToken>
        <Snippet code={SETUP_COMMAND} label={t('setup.command')} />
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title={t('setup.title')} lead={t('setup.lead')}>
      <AccountForm
        submit={t('setup.submit')}
        onSubmit={async (account) => {
          const session = await unwrap(me.POST('/me/v1/setup', { body: { token: linkToken, ...account } }));
          forgetToken('setup');
          enter(session, '/');
        }}
      />
    </EntryFrame>
  );
}
