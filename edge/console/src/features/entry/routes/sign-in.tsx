import { useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type components } from '../../../api/generated/me.ts';
import { me } from '../../../api/me.ts';
import { Problem } from '../../../api/problem.ts';
import { take } from '../../../api/take.ts';
import { type CurrentSession } from '../../../session/adopt-session.ts';
import { FactorForm } from '../../../session/factor-form.tsx';
import { Button, buttonLook } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Snippet } from '../../../ui/snippet.tsx';
import { EntryFrame } from '../components/entry-frame.tsx';
import { PasskeyButton } from '../components/passkey-button.tsx';
import { PasswordForm } from '../components/password-form.tsx';
import { ProviderLinks } from '../components/provider-links.tsx';
import { signInOptionsQuery, useEnter } from '../queries/entry.ts';
import { toReturnPath } from '../queries/return-path.ts';
import { SETUP_COMMAND } from '../queries/setup-command.ts';

export const Route = createLazyRoute('/sign-in')({ component: SignInPage });

type Pending = components['schemas']['SecondFactorRequired'];

function SignInPage() {
  const { t } = useTranslation('entry');
  const { return_to: returnTo, reason } = Route.useSearch();
  const { isSignedIn } = Route.useLoaderData();
  const { data: options } = useSuspenseQuery(signInOptionsQuery);
  const [pending, setPending] = useState<Pending>();
  const enter = useEnter();
  const path = toReturnPath(returnTo);
  const arrive = (session: CurrentSession) => enter(session, path);
  if (pending) return <SecondStep pending={pending} onDone={arrive} onGiveUp={() => setPending(undefined)} />;
  if (options.setup_open) {
    return (
      <EntryFrame title={t('signIn.nobodyTitle')} lead={t('signIn.nobody')}>
        <Snippet code={SETUP_COMMAND} label={t('setup.command')} />
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title={t('signIn.title')}>
      {reason && (
        <Note tone={reason === 'reset' ? 'good' : 'info'} role="status">
          {t(`signIn.reason.${reason}`)}
        </Note>
      )}
      <ProviderError />
      {isSignedIn && (
        <Link to="/" className={buttonLook({ look: 'primary' })}>
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
    </EntryFrame>
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

interface SecondStepProps {
  pending: Pending;
  onDone: (session: CurrentSession) => void;
  onGiveUp: () => void;
}

function SecondStep({ pending: { token, methods }, onDone, onGiveUp }: SecondStepProps) {
  const { t } = useTranslation('entry');
  return (
    <EntryFrame title={t('signIn.secondTitle')} lead={t('signIn.secondLead')}>
      <FactorForm
        methods={methods}
        onShow={async (factor) => onDone(await take(me.POST('/me/v1/sign-in/second-factor', { body: { token, ...factor } })))}
      />
      <Button look="ghost" onClick={onGiveUp}>
        {t('signIn.again')}
      </Button>
    </EntryFrame>
  );
}
