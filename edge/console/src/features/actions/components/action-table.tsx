import { Link, useNavigate } from '@tanstack/react-router';
import { type ColumnDef } from '@tanstack/react-table';
import { Boxes } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../session/use-may.ts';
import { Badge } from '../../../ui/badge.tsx';
import { buttonLook } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { usePageList } from '../../../ui/use-page-list.ts';
import { type Action, ACTIONS, readCatalog, readEveryAction } from '../queries/catalog.ts';
import { RiskBadge } from './risk-badge.tsx';

/** The actions that can be run here; who manages them sees the disabled ones too. */
export function ActionTable({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('actions');
  const may = useMay();
  const navigate = useNavigate();
  const isManager = may('actions.read');
  const list = usePageList<Action>([...ACTIONS, 'list', isManager ? 'all' : workspaceId], (offset) =>
    isManager ? readEveryAction(offset) : readCatalog(workspaceId, offset),
  );
  const columns = useMemo<ColumnDef<Action>[]>(
    () => [
      {
        id: 'title',
        header: t('columns.action'),
        size: 280,
        meta: { isWide: true },
        cell: ({ row: { original: action } }) => (
          <span className="flex min-w-0 flex-col leading-tight">
            <Link to="/w/$workspaceId/actions/$slug" params={{ workspaceId, slug: action.slug }} className="truncate font-medium">
              {action.title}
            </Link>
            <span className="truncate text-xs text-muted">{action.description}</span>
          </span>
        ),
      },
      { id: 'slug', header: t('columns.slug'), size: 210, cell: ({ row }) => <code className="text-xs">{row.original.slug}</code> },
      { id: 'risk', header: t('columns.risk'), size: 150, cell: ({ row }) => <RiskBadge risk={row.original.risk} /> },
      {
        id: 'connection',
        header: t('columns.connection'),
        size: 150,
        cell: ({ row }) => t(row.original.requires_connection ? 'needed' : 'notNeeded'),
      },
      {
        id: 'status',
        header: t('columns.status'),
        size: 110,
        cell: ({ row: { original } }) => (
          <Badge tone={original.status === 'active' ? 'good' : 'neutral'}>{t(`actionStatuses.${original.status}`)}</Badge>
        ),
      },
      { id: 'version', header: t('columns.version'), size: 90, cell: ({ row }) => row.original.version },
      { id: 'published', header: t('columns.published'), size: 150, cell: ({ row }) => <RelativeTime at={row.original.published_at} /> },
    ],
    [t, workspaceId],
  );
  if (list.error) return <ProblemNote error={list.error} onRetry={list.refetch} />;
  if (list.isPending) return <Skeleton />;
  if (list.rows.length === 0) {
    const mayPublish = may('actions.publish');
    return (
      <EmptyState
        icon={Boxes}
        title={t('empty.title')}
        action={
          mayPublish && (
            <Link to="/w/$workspaceId/new-action" params={{ workspaceId }} className={buttonLook({ look: 'primary' })}>
              {t('newAction')}
            </Link>
          )
        }
      >
        {t(mayPublish ? 'empty.publish' : 'empty.ask')}
      </EmptyState>
    );
  }
  return (
    <DataTable
      label={t('title')}
      rows={list.rows}
      rowId={({ slug }) => slug}
      columns={columns}
      rowHeight={56}
      hasMore={list.hasMore}
      isReadingMore={list.isReadingMore}
      onMore={list.readMore}
      onOpen={({ slug }) => void navigate({ to: '/w/$workspaceId/actions/$slug', params: { workspaceId, slug } })}
    />
  );
}
