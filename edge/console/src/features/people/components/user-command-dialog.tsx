import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { useFormatter } from '../../../i18n/formatter.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { OneTimeSecretDialog } from '../../../ui/one-time-secret-dialog.tsx';
import { usePeopleMutation, type User, type WorkspaceRole } from '../queries/people.ts';
import { RoleDialog } from './role-dialog.tsx';
import { UserDialog } from './user-dialog.tsx';

/** A command for a user. */
export type UserCommandName = 'change' | 'add' | 'reset' | 'factors' | 'toggle';

interface UserCommandDialogProps {
  workspaceId: string;
  command: UserCommandName;
  user: User;
  onClose: () => void;
}

/** The dialog of a command for a user. */
export function UserCommandDialog({ workspaceId, command, user, onClose }: UserCommandDialogProps) {
  const { t } = useTranslation('people');
  const name = user.display_name;
  const path = { params: { path: { id: user.id } } };
  const isActive = user.status === 'active';
  const add = usePeopleMutation((role: WorkspaceRole) =>
    unwrap(
      adminClient.PUT('/admin/v1/workspaces/{workspace_id}/members/{user_id}', {
        params: { path: { workspace_id: workspaceId, user_id: user.id } },
        body: { role },
      }),
    ),
  );
  const removeFactors = usePeopleMutation(() => unwrap(adminClient.DELETE('/admin/v1/users/{id}/second-factors', path)));
  const toggle = usePeopleMutation(() =>
    unwrap(adminClient.PATCH('/admin/v1/users/{id}', { ...path, body: { status: isActive ? 'disabled' : 'active' } })),
  );
  switch (command) {
    case 'change':
      return <UserDialog user={user} onClose={onClose} />;
    case 'add':
      return (
        <RoleDialog
          workspaceId={workspaceId}
          title={t('users.addTitle', { name })}
          submit={t('users.addSubmit')}
          before="member"
          onClose={onClose}
          onSave={(role) => add.mutateAsync(role)}
        />
      );
    case 'reset':
      return <ResetLink user={user} onClose={onClose} />;
    case 'factors':
      return (
        <ConfirmDialog
          isOpen
          onClose={onClose}
          title={t('users.removeFactorsTitle', { name })}
          action={t('users.removeFactors')}
          onConfirm={() => removeFactors.mutateAsync()}
        >
          {t('users.removeFactorsText')}
        </ConfirmDialog>
      );
    case 'toggle':
      return (
        <ConfirmDialog
          isOpen
          onClose={onClose}
          title={t(isActive ? 'users.disableTitle' : 'users.enableTitle', { name })}
          action={t(isActive ? 'disable' : 'enable')}
          onConfirm={() => toggle.mutateAsync()}
        >
          {t(isActive ? 'users.disableText' : 'users.enableText')}
        </ConfirmDialog>
      );
  }
}

function ResetLink({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('people');
  const format = useFormatter();
  const [made, setMade] = useState<components['schemas']['OneTimeLink']>();
  const name = user.display_name;
  const make = usePeopleMutation(() => unwrap(adminClient.POST('/admin/v1/users/{id}/reset-link', { params: { path: { id: user.id } } })));
  if (made) {
    return (
      <OneTimeSecretDialog
        title={t('users.resetMadeTitle', { name })}
        description={t('users.resetMadeText', { time: format.dateTime(made.expires_at) })}
        label={t('users.resetLink')}
        secret={made.url}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={t('users.resetTitle', { name })}
      submit={t('users.resetSubmit')}
      onSubmit={() => make.mutateAsync()}
      onDone={setMade}
      onClose={onClose}
    >
      <p>{t('users.resetText')}</p>
    </FormDialog>
  );
}
