import { Link, useNavigate } from '@tanstack/react-router';
import { type ColumnDef } from '@tanstack/react-table';
import { ListChecks } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { buttonVariants } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Select } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { usePageList } from '../../../ui/use-page-list.ts';
import { readRuns, type Run, runsKey } from '../queries/runs.ts';
import { RunBadge } from './run-badge.tsx';
import { RUN_STATUSES } from './run-statuses.ts';

interface RunTableProps {
  workspaceId: string;
  slug: string;
  status: Run['status'] | undefined;
  onStatus: (status: Run['status'] | undefined) => void;
}

/** The runs of an action in the workspace, newest first. */
export function RunTable({ workspaceId, slug, status, onStatus }: RunTableProps) {
  const { t } = useTranslation('actions');
  const choice = (
    <div>
      <Select
        aria-label={t('columns.status')}
        value={status ?? ''}
        onChange={({ target }) => onStatus(RUN_STATUSES.find((name) => name === target.value))}
      >
        <option value="">{t('runs.allStatuses')}</option>
        {RUN_STATUSES.map((name) => (
          <option key={name} value={name}>
            {t(`statuses.${name}`)}
          </option>
        ))}
      </Select>
    </div>
  );
  return (
    <>
      {choice}
      <Runs key={status ?? ''} {...{ workspaceId, slug, status }} />
    </>
  );
}

function Runs({ workspaceId, slug, status }: Omit<RunTableProps, 'onStatus'>) {
  const { t } = useTranslation('actions');
  const format = useFormatter();
  const navigate = useNavigate();
  const list = usePageList<Run>(runsKey(workspaceId, slug, status), (offset) => readRuns(workspaceId, slug, status, offset));
  const columns = useMemo<ColumnDef<Run>[]>(
    () => [
      { id: 'status', header: t('columns.status'), size: 150, cell: ({ row }) => <RunBadge status={row.original.status} /> },
      {
        id: 'id',
        header: t('columns.run'),
        size: 300,
        meta: { isWide: true },
        cell: ({ row: { original } }) => (
          <Link
            to="/w/$workspaceId/actions/$slug/runs/$runId"
            params={{ workspaceId, slug, runId: original.id }}
            className="font-mono text-xs"
          >
            {original.id}
          </Link>
        ),
      },
      { id: 'effects', header: t('columns.writes'), size: 90, cell: ({ row }) => format.number(row.original.effects.length) },
      { id: 'version', header: t('columns.version'), size: 90, cell: ({ row }) => row.original.version },
      {
        id: 'took',
        header: t('run.took'),
        size: 100,
        cell: ({ row: { original } }) =>
          original.started_at && original.ended_at
            ? format.milliseconds(Date.parse(original.ended_at) - Date.parse(original.started_at))
            : null,
      },
      { id: 'created', header: t('run.created'), size: 150, cell: ({ row }) => <RelativeTime at={row.original.created_at} /> },
    ],
    [t, format, workspaceId, slug],
  );
  if (list.error) return <ProblemNote error={list.error} onRetry={list.refetch} />;
  if (list.isPending) return <Skeleton />;
  if (list.rows.length === 0) {
    return (
      <EmptyState
        icon={ListChecks}
        title={t(status ? 'runs.noneWithStatus' : 'runs.emptyTitle')}
        action={
          <Link to="/w/$workspaceId/actions/$slug" params={{ workspaceId, slug }} search={{ tab: 'run' }} className={buttonVariants()}>
            {t('tabs.run')}
          </Link>
        }
      >
        {t('runs.emptyText')}
      </EmptyState>
    );
  }
  return (
    <DataTable
      label={t('tabs.runs')}
      rows={list.rows}
      rowId={({ id }) => id}
      columns={columns}
      hasMore={list.hasMore}
      isReadingMore={list.isReadingMore}
      onMore={list.readMore}
      footer={list.total === undefined ? undefined : t('runs.count', { count: list.total })}
      onOpen={({ id }) => void navigate({ to: '/w/$workspaceId/actions/$slug/runs/$runId', params: { workspaceId, slug, runId: id } })}
    />
  );
}
