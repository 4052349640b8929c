import { useSuspenseQuery } from '@tanstack/react-query';
import { type ColumnDef } from '@tanstack/react-table';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '../../../session/queries.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Select } from '../../../ui/field.tsx';
import { MenuItem, MenuSeparator } from '../../../ui/menu.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { type InstanceRole, type User, useUsers } from '../queries/people.ts';
import { ListFrame } from './list-frame.tsx';
import { NewUserDialog } from './new-user-dialog.tsx';
import { RowMenu } from './row-menu.tsx';
import { UserCommandDialog, type UserCommandName } from './user-command-dialog.tsx';

const STATUSES = ['active', 'disabled'] as const;
const ROLES = ['owner', 'admin', 'auditor'] as const;

interface Filter {
  text: string;
  status?: User['status'] | undefined;
  role?: InstanceRole | undefined;
}

/** Everybody with an account of the gateway. */
export function UsersTab({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('people');
  const may = usePermissionCheck();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [{ text, status, role }, setFilter] = useState<Filter>({ text: '' });
  const isNarrowed = text !== '' || status !== undefined || role !== undefined;
  const list = useUsers({ ...(text && { search: text }), ...(status && { status }), ...(role && { instance_role: role }) });
  const [isMaking, setMaking] = useState(false);
  const [open, setOpen] = useState<{ command: UserCommandName; user: User }>();
  const mayWrite = may('users.write');
  const isMember = ({ memberships }: User) => memberships.some(({ workspace_id: id }) => id === workspaceId);
  const columns: ColumnDef<User>[] = [
    {
      id: 'name',
      header: t('name'),
      size: 180,
      meta: { isWide: true },
      cell: ({ row: { original } }) => (
        <span className="flex items-center gap-2 font-medium">
          <span className="truncate">{original.display_name}</span>
          {original.id === session.user.id && <Badge tone="accent">{t('you')}</Badge>}
        </span>
      ),
    },
    { id: 'email', header: t('email'), size: 200, meta: { isWide: true }, cell: ({ row: { original } }) => original.email ?? t('noEmail') },
    {
      id: 'status',
      header: t('status'),
      size: 92,
      cell: ({ row: { original } }) => (
        <Badge tone={original.status === 'active' ? 'good' : 'bad'}>{t(`statuses.${original.status}`)}</Badge>
      ),
    },
    {
      id: 'role',
      header: t('instanceRole'),
      size: 112,
      cell: ({ row: { original: one } }) => one.instance_role && <Badge tone="accent">{t(`roles.${one.instance_role}`)}</Badge>,
    },
    {
      id: 'factor',
      header: t('users.factor'),
      size: 116,
      cell: ({ row: { original } }) => original.requires_second_factor && <Badge tone="warn">{t('users.demanded')}</Badge>,
    },
    { id: 'in', header: t('users.workspaces'), size: 104, cell: ({ row: { original } }) => original.memberships.length },
    {
      id: 'last',
      header: t('users.lastSignIn'),
      size: 116,
      cell: ({ row: { original } }) =>
        original.last_sign_in_at === null ? t('never') : <RelativeTime isShort at={original.last_sign_in_at} />,
    },
    {
      id: 'commands',
      header: () => <span className="sr-only">{t('commands')}</span>,
      size: 64,
      cell: ({ row: { original: user } }) =>
        mayWrite && (
          <RowMenu name={user.display_name}>
            <MenuItem onSelect={() => setOpen({ command: 'change', user })}>{t('change')}</MenuItem>
            {!isMember(user) && <MenuItem onSelect={() => setOpen({ command: 'add', user })}>{t('users.add')}</MenuItem>}
            {user.email !== null && <MenuItem onSelect={() => setOpen({ command: 'reset', user })}>{t('users.reset')}</MenuItem>}
            <MenuItem onSelect={() => setOpen({ command: 'factors', user })}>{t('users.removeFactors')}</MenuItem>
            {user.id !== session.user.id && (
              <>
                <MenuSeparator />
                <MenuItem isDangerous={user.status === 'active'} onSelect={() => setOpen({ command: 'toggle', user })}>
                  {t(user.status === 'active' ? 'disable' : 'enable')}
                </MenuItem>
              </>
            )}
          </RowMenu>
        ),
    },
  ];
  const begin = mayWrite && (
    <Button onClick={() => setMaking(true)}>
      <UserPlus className="size-4" aria-hidden />
      {t('users.new')}
    </Button>
  );
  return (
    <ListFrame
      list={list}
      lead={t('users.lead')}
      toolbar={
        <>
          <SearchBox
            label={t('search')}
            value={text}
            onSearch={(wanted) => setFilter({ text: wanted, status, role })}
            className="w-64 max-w-full"
          />
          <Select
            aria-label={t('status')}
            value={status ?? ''}
            onChange={({ target }) => setFilter({ text, role, status: STATUSES.find((one) => one === target.value) })}
          >
            <option value="">{t('users.anyStatus')}</option>
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {t(`statuses.${one}`)}
              </option>
            ))}
          </Select>
          <Select
            aria-label={t('instanceRole')}
            value={role ?? ''}
            onChange={({ target }) => setFilter({ text, status, role: ROLES.find((one) => one === target.value) })}
          >
            <option value="">{t('users.anyRole')}</option>
            {ROLES.map((one) => (
              <option key={one} value={one}>
                {t(`roles.${one}`)}
              </option>
            ))}
          </Select>
          {begin}
        </>
      }
    >
      {list.rows.length === 0 ? (
        <EmptyState icon={Users} title={t(isNarrowed ? 'noneFound' : 'users.none')} action={!isNarrowed && begin}>
          {t(isNarrowed ? 'noneFoundText' : 'users.noneText')}
        </EmptyState>
      ) : (
        <DataTable
          label={t('tabs.users')}
          rows={list.rows}
          rowId={({ id }) => id}
          columns={columns}
          hasMore={list.hasMore}
          isReadingMore={list.isReadingMore}
          onMore={list.readMore}
        />
      )}
      {isMaking && <NewUserDialog workspaceId={workspaceId} onClose={() => setMaking(false)} />}
      {open && <UserCommandDialog key={open.user.id} workspaceId={workspaceId} {...open} onClose={() => setOpen(undefined)} />}
    </ListFrame>
  );
}
