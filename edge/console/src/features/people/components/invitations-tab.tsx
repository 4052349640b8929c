import { type ColumnDef } from '@tanstack/react-table';
import { MailPlus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { adminClient } from '../../../api/admin.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { type Invitation, type PeopleScope, useInvitations, usePeopleMutation } from '../queries/people.ts';
import { ListFrame } from './list-frame.tsx';
import { ScopeSelect } from './scope-select.tsx';

const TONES: Record<Invitation['status'], Tone> = { open: 'accent', accepted: 'good', revoked: 'bad', expired: 'neutral' };

interface InvitationsTabProps {
  workspaceId: string;
  scope: PeopleScope;
  onScope: (scope: PeopleScope) => void;
  onInvite: () => void;
}

/** Who was invited, and what became of it. */
export function InvitationsTab({ workspaceId, scope, onScope, onInvite }: InvitationsTabProps) {
  const { t } = useTranslation('people');
  const may = usePermissionCheck();
  const list = useInvitations(workspaceId, scope);
  const [revoked, setRevoked] = useState<Invitation>();
  const revoke = usePeopleMutation(({ id }: Invitation) =>
    unwrap(adminClient.DELETE('/admin/v1/invitations/{id}', { params: { path: { id } } })),
  );
  const columns: ColumnDef<Invitation>[] = [
    { id: 'email', header: t('email'), size: 220, meta: { isWide: true }, cell: ({ row: { original } }) => original.email },
    {
      id: 'role',
      header: t('role'),
      size: 220,
      cell: ({ row: { original: one } }) => (
        <span className="flex gap-1">
          {one.workspace_role && <Badge>{t(`roles.${one.workspace_role}`)}</Badge>}
          {one.instance_role && <Badge tone="accent">{t('gatewayRole', { role: t(`roles.${one.instance_role}`) })}</Badge>}
        </span>
      ),
    },
    {
      id: 'status',
      header: t('status'),
      size: 110,
      cell: ({ row: { original } }) => <Badge tone={TONES[original.status]}>{t(`invitations.statuses.${original.status}`)}</Badge>,
    },
    { id: 'made', header: t('made'), size: 150, cell: ({ row: { original } }) => <RelativeTime at={original.created_at} /> },
    { id: 'until', header: t('expires'), size: 150, cell: ({ row: { original } }) => <RelativeTime at={original.expires_at} /> },
    {
      id: 'commands',
      header: () => <span className="sr-only">{t('commands')}</span>,
      size: 110,
      cell: ({ row: { original } }) =>
        original.status === 'open' &&
        may('invitations.write', original.workspace_id ?? undefined) && (
          <Button
            size="small"
            look="danger"
            aria-label={t('invitations.revokeOf', { email: original.email })}
            onClick={() => setRevoked(original)}
          >
            {t('invitations.revoke')}
          </Button>
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
      lead={t('invitations.lead')}
      toolbar={
        <>
          {may('invitations.read') && <ScopeSelect scope={scope} onChange={onScope} />}
          {invite}
        </>
      }
    >
      {list.rows.length === 0 ? (
        <EmptyState icon={MailPlus} title={t('invitations.none')} action={invite}>
          {t('invitations.noneText')}
        </EmptyState>
      ) : (
        <DataTable
          label={t('tabs.invitations')}
          rows={list.rows}
          rowId={({ id }) => id}
          columns={columns}
          hasMore={list.hasMore}
          isReadingMore={list.isReadingMore}
          onMore={list.readMore}
        />
      )}
      {revoked && (
        <ConfirmDialog
          isOpen
          onClose={() => setRevoked(undefined)}
          title={t('invitations.revokeTitle', { email: revoked.email })}
          action={t('invitations.revoke')}
          onConfirm={() => revoke.mutateAsync(revoked)}
        >
          {t('invitations.revokeText')}
        </ConfirmDialog>
      )}
    </ListFrame>
  );
}
