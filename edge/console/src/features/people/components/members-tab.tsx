import { useSuspenseQuery } from '@tanstack/react-query';
import { type ColumnDef } from '@tanstack/react-table';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { adminClient } from '../../../api/admin.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { sessionQuery } from '../../../session/queries.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { MenuItem } from '../../../ui/menu.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { type Member, useMembers, usePeopleMutation, type WorkspaceRole } from '../queries/people.ts';
import { ListFrame } from './list-frame.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { RowMenu } from './row-menu.tsx';

interface MembersTabProps {
  workspaceId: string;
  onInvite: () => void;
}

/** Who is in the workspace, with which role. */
export function MembersTab({ workspaceId, onInvite }: MembersTabProps) {
  const { t } = useTranslation('people');
  const may = usePermissionCheck();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [text, setText] = useState('');
  const list = useMembers(workspaceId, text);
  const [open, setOpen] = useState<{ command: 'role' | 'remove'; member: Member }>();
  const close = () => setOpen(undefined);
  const pathOf = ({ user_id: userId }: Member) => ({ params: { path: { workspace_id: workspaceId, user_id: userId } } });
  const put = usePeopleMutation(({ member, role }: { member: Member; role: WorkspaceRole }) =>
    unwrap(adminClient.PUT('/admin/v1/workspaces/{workspace_id}/members/{user_id}', { ...pathOf(member), body: { role } })),
  );
  const remove = usePeopleMutation((member: Member) =>
    unwrap(adminClient.DELETE('/admin/v1/workspaces/{workspace_id}/members/{user_id}', pathOf(member))),
  );
  // A user cannot change their own role; only owners change the role of an owner.
  const mayChange = (member: Member) =>
    member.user_id !== session.user.id && may(member.role === 'owner' ? 'owners.write' : 'members.write', workspaceId);
  const columns: ColumnDef<Member>[] = [
    {
      id: 'name',
      header: t('name'),
      size: 200,
      meta: { isWide: true },
      cell: ({ row: { original } }) => (
        <span className="flex items-center gap-2 font-medium">
          <span className="truncate">{original.display_name}</span>
          {original.user_id === session.user.id && <Badge tone="accent">{t('you')}</Badge>}
        </span>
      ),
    },
    { id: 'email', header: t('email'), size: 220, meta: { isWide: true }, cell: ({ row: { original } }) => original.email ?? t('noEmail') },
    { id: 'role', header: t('role'), size: 110, cell: ({ row: { original } }) => <Badge>{t(`roles.${original.role}`)}</Badge> },
    {
      id: 'status',
      header: t('status'),
      size: 110,
      cell: ({ row: { original } }) => (
        <Badge tone={original.status === 'active' ? 'good' : 'bad'}>{t(`statuses.${original.status}`)}</Badge>
      ),
    },
    {
      id: 'commands',
      header: () => <span className="sr-only">{t('commands')}</span>,
      size: 64,
      cell: ({ row: { original } }) =>
        mayChange(original) && (
          <RowMenu name={original.display_name}>
            <MenuItem onSelect={() => setOpen({ command: 'role', member: original })}>{t('members.changeRole')}</MenuItem>
            <MenuItem isDangerous onSelect={() => setOpen({ command: 'remove', member: original })}>
              {t('members.remove')}
            </MenuItem>
          </RowMenu>
        ),
    },
  ];
  const invite = may('invitations.write', workspaceId) && (
    <Button look="primary" onClick={onInvite}>
      <UserPlus className="size-4" aria-hidden />
      {t('invitations.invite')}
    </Button>
  );
  return (
    <ListFrame
      list={list}
      lead={t('members.lead')}
      toolbar={
        <>
          <SearchBox label={t('search')} value={text} onSearch={setText} className="w-64 max-w-full" />
          {invite}
        </>
      }
    >
      {list.rows.length === 0 ? (
        <EmptyState icon={Users} title={t(text ? 'noneFound' : 'members.none')} action={!text && invite}>
          {t(text ? 'noneFoundText' : 'members.noneText')}
        </EmptyState>
      ) : (
        <DataTable
          label={t('tabs.members')}
          rows={list.rows}
          rowId={(member) => member.user_id}
          columns={columns}
          hasMore={list.hasMore}
          isReadingMore={list.isReadingMore}
          onMore={list.readMore}
        />
      )}
      {open?.command === 'role' && (
        <RoleDialog
          workspaceId={workspaceId}
          title={t('members.roleTitle', { name: open.member.display_name })}
          submit={t('save')}
          before={open.member.role}
          onClose={close}
          onSave={(role) => put.mutateAsync({ member: open.member, role })}
        />
      )}
      {open?.command === 'remove' && (
        <ConfirmDialog
          isOpen
          onClose={close}
          title={t('members.removeTitle', { name: open.member.display_name })}
          action={t('members.remove')}
          onConfirm={() => remove.mutateAsync(open.member)}
        >
          {t('members.removeText')}
        </ConfirmDialog>
      )}
    </ListFrame>
  );
}
