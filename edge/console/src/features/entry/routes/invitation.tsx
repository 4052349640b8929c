import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { setCsrfToken } from '../../../api/credentials.ts';
import { type components } from '../../../api/generated/me.ts';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { useFormatter } from '../../../i18n/formatter.ts';
import { type CurrentSession } from '../../../session/adopt-session.ts';
import { Button, buttonVariants } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { MissingTokenNote } from '../components/missing-token-note.tsx';
import { NewAccountForm } from '../components/new-account-form.tsx';
import { SignedOutLayout } from '../components/signed-out-layout.tsx';
import { forgetToken } from '../queries/link-token.ts';
import { useStartSession, optionalSessionQuery } from '../queries/sign-in.ts';

export const Route = createLazyRoute('/invitation')({ component: InvitationPage });

type Inspected = components['schemas']['InspectedInvitation'];

function InvitationPage() {
  const { t } = useTranslation('entry');
  const { linkToken } = Route.useRouteContext();
  if (linkToken === undefined) {
    return (
      <SignedOutLayout title={t('invitation.title')}>
        <MissingTokenNote>{t('invitation.noToken')}</MissingTokenNote>
      </SignedOutLayout>
    );
  }
  return <Invited key={linkToken} token={linkToken} />;
}

function Invited({ token }: { token: string }) {
  const { t } = useTranslation('entry');
  const format = useFormatter();
  const inspect = useInvitation(token);
  const { data: invitation, error } = inspect;
  if (error) {
    return (
      <SignedOutLayout title={t('invitation.title')}>
        <ProblemNote error={error} onRetry={() => void inspect.refetch()} />
        <Link to="/sign-in" className={buttonVariants()}>
          {t('toSignIn')}
        </Link>
      </SignedOutLayout>
    );
  }
  if (!invitation) {
    return (
      <SignedOutLayout title={t('invitation.title')}>
        <Skeleton rows={3} />
      </SignedOutLayout>
    );
  }
  const { workspace_name: workspace, workspace_role: role, instance_role: instanceRole, invited_by: by } = invitation;
  return (
    <SignedOutLayout title={workspace === null ? t('invitation.titleGateway') : t('invitation.titleWorkspace', { workspace })}>
      <ul className="flex flex-col gap-1">
        {by !== null && <li>{t('invitation.by', { name: by })}</li>}
        {role !== null && <li>{t('invitation.role', { role: t(`roles.${role}`) })}</li>}
        {instanceRole !== null && <li>{t('invitation.instanceRole', { role: t(`roles.${instanceRole}`) })}</li>}
        <li className="text-sm text-muted">{t('invitation.until', { time: format.dateTime(invitation.expires_at) })}</li>
      </ul>
      <Answer token={token} invitation={invitation} />
    </SignedOutLayout>
  );
}

/** What an invitation is for; the key of the cache holds no part of the token. */
function useInvitation(token: string) {
  return useQuery({
    queryKey: ['invitation'],
    queryFn: () => unwrap(meClient.POST('/me/v1/invitations/inspect', { body: { token } })),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function Answer({ token, invitation }: { token: string; invitation: Inspected }) {
  const { t } = useTranslation('entry');
  const enter = useStartSession();
  const { data: visitor } = useSuspenseQuery(optionalSessionQuery);
  const arrive = (session: CurrentSession) => {
    forgetToken('invitation');
    enter(session, invitation.workspace_id === null ? '/' : `/w/${invitation.workspace_id}`);
  };
  if (visitor) return <Join {...{ token, invitation, visitor, arrive }} />;
  if (invitation.has_account) {
    return (
      <>
        <Note>{t('invitation.hasAccount', { email: invitation.email })}</Note>
        <Link to="/sign-in" search={{ return_to: '/invitation' }} className={buttonVariants({ look: 'primary' })}>
          {t('toSignIn')}
        </Link>
      </>
    );
  }
  return (
    <NewAccountForm
      email={invitation.email}
      submit={t('invitation.accept')}
      onSubmit={async ({ display_name, password }) =>
        arrive(await unwrap(meClient.POST('/me/v1/invitations/accept', { body: { token, display_name, password } })))
      }
    />
  );
}

interface JoinProps {
  token: string;
  invitation: Inspected;
  visitor: CurrentSession;
  arrive: (session: CurrentSession) => void;
}

/** For a signed-in user: joins with one press, or signs in as another user. */
function Join({ token, invitation, visitor, arrive }: JoinProps) {
  const { t } = useTranslation('entry');
  const queries = useQueryClient();
  const { email, display_name: name } = visitor.user;
  const join = useMutation({
    mutationFn: () => {
      setCsrfToken(visitor.csrf_token);
      return unwrap(meClient.POST('/me/v1/invitations/accept', { body: { token } }));
    },
    onSuccess: arrive,
  });
  // The page stays: its token is in memory only.
  const leave = useMutation({
    mutationFn: () => {
      setCsrfToken(visitor.csrf_token);
      return unwrap(meClient.POST('/me/v1/sign-out'));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: optionalSessionQuery.queryKey }),
  });
  if (email !== invitation.email) {
    return (
      <>
        <Note tone="warn">{t('invitation.otherPerson', { email: invitation.email, own: email ?? name })}</Note>
        {leave.error && <ProblemNote error={leave.error} />}
        <Button look="primary" isBusy={leave.isPending} onClick={() => leave.mutate()}>
          {t('signOut')}
        </Button>
        <Link to="/" className={buttonVariants()}>
          {t('goOnAs', { name })}
        </Link>
      </>
    );
  }
  return (
    <>
      {join.error && <ProblemNote error={join.error} />}
      <Button look="primary" isBusy={join.isPending} onClick={() => join.mutate()}>
        {t('invitation.joinAs', { name })}
      </Button>
    </>
  );
}
