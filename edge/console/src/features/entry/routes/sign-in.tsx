import { useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type components } from '../../../api/generated/me.ts';
import { Problem } from '../../../api/problem.ts';
import { type CurrentSession } from '../../../session/adopt-session.ts';
import { buttonVariants } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Snippet } from '../../../ui/snippet.tsx';
import { PasskeyButton } from '../components/passkey-button.tsx';
import { PasswordForm } from '../components/password-form.tsx';
import { ProviderLinks } from '../components/provider-links.tsx';
import { SignedOutLayout } from '../components/signed-out-layout.tsx';
import { toReturnPath } from '../queries/return-path.ts';
import { SETUP_COMMAND } from '../queries/setup-command.ts';
import { signInOptionsQuery, useStartSession } from '../queries/sign-in.ts';

export const Route = createLazyRoute('/sign-in')({ component: SignInPage });

/** Loaded when it is asked for: most people sign in without it. */
const SecondFactorStep = lazy(() => import('../components/second-factor-step.tsx'));

type Pending = components['schemas']['SecondFactorRequired'];

function SignInPage() {
  const { t } = useTranslation('entry');
  const { return_to: returnTo, reason } = Route.useSearch();
  const { isSignedIn } = Route.useLoaderData();
  const { data: options } = useSuspenseQuery(signInOptionsQuery);
  const [pending, setPending] = useState<Pending>();
  const enter = useStartSession();
  const path = toReturnPath(returnTo);
  const arrive = (session: CurrentSession) => enter(session, path);
  if (pending)
    return (
      <Suspense fallback={<Skeleton />}>
        <SecondFactorStep pending={pending} onDone={arrive} onGiveUp={() => setPending(undefined)} />
      </Suspense>
    );
  if (options.setup_open) {
    return (
      <SignedOutLayout title={t('signIn.noAccountsTitle')} lead={t('signIn.noAccounts')}>
        <Snippet code={SETUP_COMMAND} label={t('setup.command')} />
      </SignedOutLayout>
    );
  }
  return (
    <SignedOutLayout title={t('signIn.title')}>
      {reason && (
        <Note tone={reason === 'reset' ? 'good' : 'info'} role="status">
          {t(`signIn.reason.${reason}`)}
        </Note>
      )}
      <ProviderError />
      {isSignedIn && (
        <Link to="/" className={buttonVariants({ look: 'primary' })}>
          {t('signIn.goOn')}
        </Link>
      )}
      {options.methods.includes('password') && (
        <PasswordForm onAnswer={(answer) => ('status' in answer ? setPending(answer) : arrive(answer))} />
      )}
      {(options.methods.includes('passkey') || options.providers.length > 0) && <Or />}
      {options.methods.includes('passkey') && <PasskeyButton onDone={arrive} />}
      <ProviderLinks providers={options.providers} returnTo={path} />
      <p className="text-sm text-muted">{t('signIn.help')}</p>
    </SignedOutLayout>
  );
}

/** What a provider, or the way back from it, was refused with. */
function ProviderError() {
  const { t } = useTranslation('entry');
  const { error, request_id: requestId } = Route.useSearch();
  if (error === undefined) return null;
  // The address names the error; its words are those of the console.
  const facts = { message: t('signIn.providerRefused'), status: 401, code: error, requestId, isRetryable: false };
  return <ProblemNote error={new Problem(facts)} />;
}

function Or() {
  const { t } = useTranslation('entry');
  return (
    <div className="flex items-center gap-3 text-sm text-muted">
      <span className="h-px flex-1 bg-line" />
      {t('signIn.or')}
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}
