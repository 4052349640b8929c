import { type ColumnDef } from '@tanstack/react-table';
import { Bot, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { MenuItem } from '../../../ui/menu.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { type PeopleScope, type ServiceAccount, usePeopleMutation, useServiceAccounts } from '../queries/people.ts';
import { ListFrame } from './list-frame.tsx';
import { RowMenu } from './row-menu.tsx';
import { ScopeSelect } from './scope-select.tsx';
import { ServiceAccountDialog, type ServiceAccountFields } from './service-account-dialog.tsx';
import { ServiceAccountSecret } from './service-account-secret.tsx';

type Created = components['schemas']['CreatedServiceAccount'];
type Command = 'change' | 'rotate' | 'toggle' | 'delete';

interface ServiceAccountsTabProps {
  workspaceId: string;
  scope: PeopleScope;
  onScope: (scope: PeopleScope) => void;
}

/** Programs that manage the gateway or a workspace: what they may, and their secrets. */
export function ServiceAccountsTab({ workspaceId, scope, onScope }: ServiceAccountsTabProps) {
  const { t } = useTranslation('people');
  const may = usePermissionCheck();
  const list = useServiceAccounts(workspaceId, scope);
  const [isMaking, setMaking] = useState(false);
  const [open, setOpen] = useState<{ command: Command; account: ServiceAccount }>();
  const [made, setMade] = useState<Created>();
  const mayWrite = ({ workspace_id: id }: ServiceAccount) => may('service_accounts.write', id ?? undefined);
  const columns: ColumnDef<ServiceAccount>[] = [
    {
      id: 'name',
      header: t('name'),
      size: 200,
      meta: { isWide: true },
      cell: ({ row: { original } }) => <span className="font-medium">{original.name}</span>,
    },
    {
      id: 'role',
      header: t('role'),
      size: 180,
      cell: ({ row: { original: one } }) =>
        one.instance_role ? (
          <Badge tone="accent">{t('gatewayRole', { role: t(`roles.${one.instance_role}`) })}</Badge>
        ) : (
          <Badge>{t(`roles.${one.workspace_role ?? 'none'}`)}</Badge>
        ),
    },
    {
      id: 'status',
      header: t('status'),
      size: 110,
      cell: ({ row: { original } }) => (
        <Badge tone={original.status === 'active' ? 'good' : 'bad'}>{t(`statuses.${original.status}`)}</Badge>
      ),
    },
    {
      id: 'used',
      header: t('lastUsed'),
      size: 150,
      cell: ({ row: { original } }) => (original.last_used_at === null ? t('never') : <RelativeTime at={original.last_used_at} />),
    },
    {
      id: 'until',
      header: t('expires'),
      size: 150,
      cell: ({ row: { original } }) => (original.expires_at === null ? t('never') : <RelativeTime at={original.expires_at} />),
    },
    {
      id: 'commands',
      header: () => <span className="sr-only">{t('commands')}</span>,
      size: 64,
      cell: ({ row: { original: account } }) =>
        mayWrite(account) && (
          <RowMenu name={account.name}>
            <MenuItem onSelect={() => setOpen({ command: 'change', account })}>{t('change')}</MenuItem>
            <MenuItem onSelect={() => setOpen({ command: 'rotate', account })}>{t('service.rotate')}</MenuItem>
            <MenuItem onSelect={() => setOpen({ command: 'toggle', account })}>
              {t(account.status === 'active' ? 'disable' : 'enable')}
            </MenuItem>
            <MenuItem isDangerous onSelect={() => setOpen({ command: 'delete', account })}>
              {t('delete')}
            </MenuItem>
          </RowMenu>
        ),
    },
  ];
  const create = usePeopleMutation(({ workspace_role: role, ...fields }: ServiceAccountFields) => {
    const place = role === undefined ? {} : { workspace_id: workspaceId, workspace_role: role };
    return unwrap(adminClient.POST('/admin/v1/service-accounts', { body: { ...fields, ...place } }));
  });
  const begin = may('service_accounts.write', workspaceId) && (
    <Button look="primary" onClick={() => setMaking(true)}>
      <Plus className="size-4" aria-hidden />
      {t('service.new')}
    </Button>
  );
  return (
    <ListFrame
      list={list}
      lead={t('service.lead')}
      toolbar={
        <>
          {may('service_accounts.read') && <ScopeSelect scope={scope} onChange={onScope} />}
          {begin}
        </>
      }
    >
      {list.rows.length === 0 ? (
        <EmptyState icon={Bot} title={t('service.none')} action={begin}>
          {t('service.noneText')}
        </EmptyState>
      ) : (
        <DataTable
          label={t('tabs.service-accounts')}
          rows={list.rows}
          rowId={({ id }) => id}
          columns={columns}
          hasMore={list.hasMore}
          isReadingMore={list.isReadingMore}
          onMore={list.readMore}
        />
      )}
      {isMaking && (
        <ServiceAccountDialog
          workspaceId={workspaceId}
          onSave={(fields) => create.mutateAsync(fields)}
          onDone={(account) => {
            setMaking(false);
            setMade(account);
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {open && (
        <ServiceAccountCommand
          key={open.account.id}
          workspaceId={workspaceId}
          {...open}
          onSecret={setMade}
          onClose={() => setOpen(undefined)}
        />
      )}
      {made && <ServiceAccountSecret account={made} onClose={() => setMade(undefined)} />}
    </ListFrame>
  );
}

interface ServiceAccountCommandProps {
  workspaceId: string;
  command: Command;
  account: ServiceAccount;
  onSecret: (account: Created) => void;
  onClose: () => void;
}

function ServiceAccountCommand({ workspaceId, command, account, onSecret, onClose }: ServiceAccountCommandProps) {
  const { t } = useTranslation('people');
  const path = { params: { path: { id: account.id } } };
  const { name } = account;
  const isActive = account.status === 'active';
  const change = usePeopleMutation((body: components['schemas']['ServiceAccountChange']) =>
    unwrap(adminClient.PATCH('/admin/v1/service-accounts/{id}', { ...path, body })),
  );
  const rotate = usePeopleMutation(() => unwrap(adminClient.POST('/admin/v1/service-accounts/{id}/rotate-secret', path)), onSecret);
  const remove = usePeopleMutation(() => unwrap(adminClient.DELETE('/admin/v1/service-accounts/{id}', path)));
  if (command === 'change') {
    return (
      <ServiceAccountDialog workspaceId={workspaceId} account={account} onSave={(fields) => change.mutateAsync(fields)} onClose={onClose} />
    );
  }
  const asked = {
    rotate: { title: 'service.rotateTitle', text: 'service.rotateText', action: 'service.rotate', run: () => rotate.mutateAsync() },
    toggle: {
      ...(isActive
        ? { title: 'service.disableTitle', text: 'service.disableText', action: 'disable' }
        : { title: 'service.enableTitle', text: 'service.enableText', action: 'enable' }),
      run: () => change.mutateAsync({ status: isActive ? 'disabled' : 'active' }),
    },
    delete: { title: 'service.deleteTitle', text: 'service.deleteText', action: 'delete', run: () => remove.mutateAsync() },
  }[command];
  return (
    <ConfirmDialog isOpen onClose={onClose} title={t(asked.title, { name })} action={t(asked.action)} onConfirm={() => asked.run()}>
      {t(asked.text)}
    </ConfirmDialog>
  );
}
