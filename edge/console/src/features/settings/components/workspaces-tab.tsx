import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ColumnDef } from '@tanstack/react-table';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { ALL_WORKSPACES_QUERY_KEY } from '../../../session/all-workspaces.ts';
import { ownWorkspacesQuery } from '../../../session/queries.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { usePageList } from '../../../ui/use-page-list.ts';
import { readWorkspaces, type Workspace } from '../queries/workspaces.ts';
import { NewWorkspaceDialog } from './new-workspace-dialog.tsx';
import { useQuotaText } from './use-quota-text.ts';
import { WorkspaceCommands } from './workspace-commands.tsx';

/** What both lists show of a workspace. */
type Shown = Pick<Workspace, 'id' | 'name' | 'status' | 'created_at'>;

/** The workspaces: all of the gateway for who may see them, one's own for others. */
export function WorkspacesTab() {
  const { t } = useTranslation('settings');
  const may = usePermissionCheck();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-prose text-sm text-muted">{t('workspaces.explained')}</p>
        {may('workspaces.create') && (
          <Button look="primary" onClick={() => setCreating(true)}>
            <Plus className="size-4" aria-hidden />
            {t('workspaces.create')}
          </Button>
        )}
      </div>
      {may('workspaces.read') ? <AllWorkspaces /> : <OwnWorkspaces />}
      {isCreating && <NewWorkspaceDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function AllWorkspaces() {
  const { t } = useTranslation('settings');
  const format = useFormatter();
  const quotaText = useQuotaText();
  const [wanted, setWanted] = useState('');
  const workspaces = usePageList([...ALL_WORKSPACES_QUERY_KEY, 'list', wanted], (_offset, cursor) => readWorkspaces(wanted, cursor));
  const common = useCommonColumns<Workspace>();
  const columns: ColumnDef<Workspace>[] = [
    common.name,
    common.status,
    {
      id: 'quotas',
      header: t('workspaces.quotas'),
      size: 330,
      cell: ({ row: { original } }) => {
        const { requests, tokens, audio_seconds: audio } = original.quotas;
        if ([requests, tokens, audio].every((quota) => quota === null)) return t('quota.default');
        const text = t('workspaces.quotasShort', { requests: quotaText(requests), tokens: quotaText(tokens), audio: quotaText(audio) });
        return <span title={text}>{text}</span>;
      },
    },
    {
      id: 'concurrency',
      header: t('workspaces.concurrency'),
      size: 130,
      cell: ({ row: { original } }) => (original.max_concurrency === null ? t('quota.default') : format.number(original.max_concurrency)),
    },
    common.created,
    common.commands,
  ];
  if (workspaces.error) return <ProblemNote error={workspaces.error} onRetry={workspaces.refetch} />;
  if (workspaces.isPending) return <Skeleton />;
  return (
    <>
      <SearchBox label={t('workspaces.search')} value={wanted} onSearch={setWanted} className="w-full sm:w-72" />
      <DataTable
        label={t('tabs.workspaces')}
        rowId={({ id }) => id}
        columns={columns}
        rows={workspaces.rows}
        hasMore={workspaces.hasMore}
        isReadingMore={workspaces.isReadingMore}
        onMore={workspaces.readMore}
        footer={workspaces.hasMore ? undefined : t('workspaces.count', { count: workspaces.rows.length })}
      />
    </>
  );
}

function OwnWorkspaces() {
  const { t } = useTranslation('settings');
  const { data: workspaces } = useSuspenseQuery(ownWorkspacesQuery);
  const common = useCommonColumns<(typeof workspaces)[number]>();
  const columns: ColumnDef<(typeof workspaces)[number]>[] = [
    common.name,
    common.status,
    { id: 'role', header: t('workspaces.role'), size: 130, cell: ({ row }) => t(`roles.${row.original.role}`) },
    common.created,
    common.commands,
  ];
  return (
    <DataTable
      label={t('tabs.workspaces')}
      rows={workspaces}
      rowId={({ id }) => id}
      columns={columns}
      footer={t('workspaces.count', { count: workspaces.length })}
    />
  );
}

function useCommonColumns<T extends Shown>() {
  const { t } = useTranslation('settings');
  const format = useFormatter();
  const { data: own } = useSuspenseQuery(ownWorkspacesQuery);
  const column = (id: string, size: number, cell: (workspace: T) => React.ReactNode, isWide = false): ColumnDef<T> => ({
    ...{ id, size, header: t(`workspaces.${id}`), meta: { isWide } },
    cell: ({ row }) => cell(row.original),
  });
  const name = ({ id, name: text }: T) => (
    // Who is no member of it manages it: there is nothing of theirs to see at home.
    <Link
      to={own.some((one) => one.id === id) ? '/w/$workspaceId' : '/w/$workspaceId/people'}
      params={{ workspaceId: id }}
      className="font-medium text-accent hover:underline"
    >
      {text}
    </Link>
  );
  const status = ({ status: stands }: T) => <Badge tone={stands === 'active' ? 'good' : 'warn'}>{t(`statuses.${stands}`)}</Badge>;
  return {
    name: column('name', 180, name, true),
    status: column('status', 110, status),
    created: column('created', 130, ({ created_at }) => format.date(created_at)),
    commands: column('commands', 80, (workspace) => <WorkspaceCommands workspace={workspace} />),
  };
}
