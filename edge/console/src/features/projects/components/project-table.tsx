import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ColumnDef } from '@tanstack/react-table';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Badge } from '../../../ui/badge.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { type usePageList } from '../../../ui/use-page-list.ts';
import { connectionLabelsQuery, type Project } from '../queries/projects.ts';
import { BindingMenu } from './binding-menu.tsx';

interface ProjectTableProps {
  workspaceId: string;
  list: ReturnType<typeof usePageList<Project>>;
}

/** Projects of any number; those that are bound open on a click. */
export function ProjectTable({ workspaceId, list }: ProjectTableProps) {
  const { t } = useTranslation('projects');
  const format = useFormatter();
  const navigate = useNavigate();
  const { data: accounts } = useQuery(connectionLabelsQuery(workspaceId));
  const columns = useMemo<ColumnDef<Project>[]>(
    () => [
      {
        id: 'name',
        header: t('column.name'),
        size: 210,
        meta: { isWide: true },
        cell: ({ row: { original } }) =>
          original.bound === false ? (
            original.name
          ) : (
            <Link
              to="/w/$workspaceId/projects/$projectId"
              params={{ workspaceId, projectId: original.id }}
              className="font-medium hover:underline"
            >
              {original.name}
            </Link>
          ),
      },
      {
        id: 'state',
        header: t('column.state'),
        size: 156,
        cell: ({ row: { original } }) => (
          <span className="flex gap-1">
            {original.is_default && <Badge tone="accent">{t('isDefault')}</Badge>}
            {original.bound === false ? <Badge tone="warn">{t('unbound')}</Badge> : <Badge tone="good">{t('ready')}</Badge>}
          </span>
        ),
      },
      {
        id: 'memory',
        header: t('column.memory'),
        size: 170,
        cell: ({ row: { original } }) => t(`memory.${original.effective_memory_policy}.name`),
      },
      {
        id: 'account',
        header: t('column.account'),
        size: 150,
        cell: ({ row: { original } }) => accounts?.get(original.upstream_account_id),
      },
      {
        id: 'conversations',
        header: t('column.conversations'),
        size: 108,
        cell: ({ row: { original } }) => format.number(original.conversation_count),
      },
      {
        id: 'updated',
        header: t('column.updated'),
        size: 112,
        cell: ({ row: { original } }) => <RelativeTime isShort at={original.updated_at} />,
      },
      {
        id: 'binding',
        header: () => <span className="sr-only">{t('column.binding')}</span>,
        size: 64,
        cell: ({ row: { original } }) => original.bound !== undefined && <BindingMenu workspaceId={workspaceId} project={original} />,
      },
    ],
    [t, format, workspaceId, accounts],
  );
  return (
    <DataTable
      label={t('title')}
      rows={list.rows}
      rowId={({ id }) => id}
      columns={columns}
      hasMore={list.hasMore}
      isReadingMore={list.isReadingMore}
      onMore={list.readMore}
      onOpen={({ id, bound }) => {
        if (bound !== false) void navigate({ to: '/w/$workspaceId/projects/$projectId', params: { workspaceId, projectId: id } });
      }}
      footer={t('count', { count: list.total ?? list.rows.length })}
    />
  );
}
