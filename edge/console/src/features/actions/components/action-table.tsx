import { Link, useNavigate } from '@tanstack/react-router';
import { type ColumnDef } from '@tanstack/react-table';
import { Boxes } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Badge } from '../../../ui/badge.tsx';
import { buttonVariants } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { usePageList } from '../../../ui/use-page-list.ts';
import { type Action, type ActionDetail, ACTIONS_QUERY_KEY, readActiveActions, readAllActions } from '../queries/catalog.ts';
import { RiskBadge } from './risk-badge.tsx';

/** An action; who manages them reads what it takes as well. */
type Listed = Action & Partial<Pick<ActionDetail, 'inputs'>>;

/** The actions that can be run here; who manages them sees the disabled ones too. */
export function ActionTable({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('actions');
  const may = usePermissionCheck();
  const navigate = useNavigate();
  const isManager = may('actions.read');
  const list = usePageList<Listed>([...ACTIONS_QUERY_KEY, 'list', isManager ? 'all' : workspaceId], (offset) =>
    isManager ? readAllActions(offset) : readActiveActions(workspaceId, offset),
  );
  const columns = useMemo<ColumnDef<Listed>[]>(
    () => [
      {
        id: 'title',
        header: t('columns.action'),
        size: 300,
        meta: { isWide: true },
        cell: ({ row: { original: action } }) => (
          <span className="flex min-w-0 flex-col leading-tight">
            <span className="flex items-baseline gap-2">
              <Link to="/w/$workspaceId/actions/$slug" params={{ workspaceId, slug: action.slug }} className="truncate font-medium">
                {action.title}
              </Link>
              <code className="truncate text-xs text-muted">{action.slug}</code>
            </span>
            <span className="truncate text-xs text-muted" title={action.description}>
              {action.description}
            </span>
          </span>
        ),
      },
      ...(isManager
        ? [{ id: 'inputs', header: t('inputs'), size: 170, cell: ({ row }) => <Inputs action={row.original} /> } as ColumnDef<Listed>]
        : []),
      { id: 'risk', header: t('columns.risk'), size: 140, cell: ({ row }) => <RiskBadge risk={row.original.risk} /> },
      {
        id: 'connection',
        header: t('columns.connection'),
        size: 112,
        cell: ({ row }) => t(row.original.requires_connection ? 'needed' : 'notNeeded'),
      },
      {
        id: 'status',
        header: t('columns.status'),
        size: 96,
        cell: ({ row: { original } }) => (
          <Badge tone={original.status === 'active' ? 'good' : 'neutral'}>{t(`actionStatuses.${original.status}`)}</Badge>
        ),
      },
      { id: 'version', header: t('columns.version'), size: 72, cell: ({ row }) => row.original.version },
      {
        id: 'published',
        header: t('columns.published'),
        size: 124,
        cell: ({ row }) => <RelativeTime isShort at={row.original.published_at} />,
      },
    ],
    [t, workspaceId, isManager],
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
            <Link to="/w/$workspaceId/new-action" params={{ workspaceId }} className={buttonVariants({ look: 'primary' })}>
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
      footer={t('count', { count: list.rows.length })}
      onOpen={({ slug }) => void navigate({ to: '/w/$workspaceId/actions/$slug', params: { workspaceId, slug } })}
    />
  );
}

/** Names of what an action takes; those that it needs have a star. */
function Inputs({ action: { inputs = [] } }: { action: Listed }) {
  const { t } = useTranslation('actions');
  const names = inputs.map(({ name, required }) => (required ? `${name}*` : name)).join(', ');
  return names === '' ? (
    <span className="text-muted">{t('noInputs')}</span>
  ) : (
    <code className="line-clamp-2 text-xs whitespace-normal" title={t('starred')}>
      {names}
    </code>
  );
}
