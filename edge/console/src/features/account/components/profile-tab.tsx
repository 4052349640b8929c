import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { useFormatter } from '../../../i18n/formatter.ts';
import { sessionQuery, ownWorkspacesQuery } from '../../../session/queries.ts';
import { announce } from '../../../ui/announcer.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { TextField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { profileQuery } from '../queries/account.ts';
import { useAccountMutation } from '../queries/use-account-mutation.ts';

/** Who the person is here, and in which workspaces. */
export function ProfileTab() {
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <ProfileCard />
      <WorkspacesCard />
    </div>
  );
}

function ProfileCard() {
  const { t } = useTranslation('account');
  const format = useFormatter();
  const queries = useQueryClient();
  const { data: profile } = useSuspenseQuery(profileQuery);
  const [name, setName] = useState(profile.display_name);
  const rename = useAccountMutation(
    () => unwrap(meClient.PATCH('/me/v1/profile', { body: { display_name: name.trim() } })),
    () => {
      announce(t('saved'));
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  );
  return (
    <Card title={t('tabs.profile')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) rename.mutate();
        }}
      >
        <TextField
          label={t('displayName')}
          value={name}
          maxLength={200}
          autoComplete="name"
          onChange={({ target }) => setName(target.value)}
        />
        <TextField label={t('email')} value={profile.email ?? ''} readOnly hint={t('emailHint')} />
        <p className="text-sm text-muted">{t('created', { date: format.date(profile.created_at) })}</p>
        {rename.error && <ProblemNote error={rename.error} />}
        <Button
          type="submit"
          look="primary"
          className="self-start"
          isBusy={rename.isPending}
          disabled={!name.trim() || name.trim() === profile.display_name}
        >
          {t('save')}
        </Button>
      </form>
    </Card>
  );
}

function WorkspacesCard() {
  const { t } = useTranslation('account');
  const { data: workspaces } = useSuspenseQuery(ownWorkspacesQuery);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { instance_role: instanceRole } = session.rights;
  return (
    <Card title={t('workspaces.title')}>
      {instanceRole !== null && <p className="mb-3 text-sm">{t('workspaces.instance', { role: t(`roles.${instanceRole}`) })}</p>}
      {workspaces.length === 0 ? (
        <EmptyState icon={Building2} title={t('workspaces.none')}>
          {t('workspaces.noneText')}
        </EmptyState>
      ) : (
        <ul aria-label={t('workspaces.title')} className="flex flex-col divide-y rounded-lg border">
          {workspaces.map(({ id, name, role }) => (
            <WorkspaceRow key={id} {...{ id, name, role }} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function WorkspaceRow({ id, name, role }: { id: string; name: string; role: string }) {
  const { t } = useTranslation('account');
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const leave = useAccountMutation(
    () => unwrap(meClient.DELETE('/me/v1/workspaces/{workspace_id}/membership', { params: { path: { workspace_id: id } } })),
    () => {
      for (const { queryKey } of [ownWorkspacesQuery, sessionQuery]) void queries.invalidateQueries({ queryKey });
    },
  );
  return (
    <li className="flex flex-wrap items-center gap-3 px-3 py-2">
      <span className="min-w-0 flex-1 break-words">{name}</span>
      <Badge>{t(`roles.${role}`)}</Badge>
      <Button size="small" look="danger" onClick={() => setOpen(true)}>
        {t('workspaces.leave')}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('workspaces.leaveTitle', { name })}
        action={t('workspaces.leave')}
        onConfirm={() => leave.mutateAsync()}
      >
        {t('workspaces.leaveText')}
      </ConfirmDialog>
    </li>
  );
}
