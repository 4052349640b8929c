import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { ArrowUp, ScanSearch } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { CheckField } from '../../../ui/field.tsx';
import { Page } from '../../../ui/page.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useGrowingList } from '../../../ui/use-growing-list.ts';
import { FindRequestForm } from '../components/find-request-form.tsx';
import { turnColumns } from '../components/turn-columns.tsx';
import { type TurnFilterValues, TurnFilters } from '../components/turn-filters.tsx';
import { readTurns, type Turn, recentUsageQuery } from '../queries/turns.ts';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/requests')({ component: RequestListPage });

function RequestListPage() {
  const { t } = useTranslation('requests');
  const { workspaceId } = Route.useParams();
  const { scope, ...filters } = Route.useSearch();
  const navigate = Route.useNavigate();
  const may = usePermissionCheck();
  const isAll = scope === 'all' && may('requests.read');
  const change = (part: TurnFilterValues & { scope?: 'all' | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  return (
    <Page title={t('title')} lead={t('lead')} actions={<FindRequestForm workspaceId={workspaceId} />}>
      <TurnFilters workspaceId={isAll ? 'all' : workspaceId} filters={filters} onChange={change} />
      {may('requests.read') && (
        <CheckField
          label={t('allWorkspaces')}
          checked={isAll}
          onChange={({ target }) => change({ scope: target.checked ? 'all' : undefined })}
        />
      )}
      <TurnList key={JSON.stringify([workspaceId, isAll, filters])} workspaceId={workspaceId} isAll={isAll} filters={filters} />
    </Page>
  );
}

interface TurnListProps {
  workspaceId: string;
  isAll: boolean;
  filters: TurnFilterValues;
}

function TurnList({ workspaceId, isAll, filters }: TurnListProps) {
  const { t } = useTranslation('requests');
  const format = useFormatter();
  const navigate = Route.useNavigate();
  const { data: keys } = useQuery(recentUsageQuery(isAll ? 'all' : workspaceId, 'key'));
  const list = useGrowingList({
    headKey: [...workspaceQueryKey(workspaceId, 'usage'), 'turns', isAll, filters],
    restKey: ['requests', 'turns', workspaceId, isAll, filters],
    read: (cursor: string | undefined) => readTurns({ ...filters, workspaceId: isAll ? undefined : workspaceId }, cursor),
    isMoving: true,
  });
  if (list.error) return <ProblemNote error={list.error} onRetry={list.refetch} />;
  if (list.isPending) return <Skeleton />;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  if (list.rows.length === 0 && !list.hasMore) {
    return (
      <EmptyState icon={ScanSearch} title={t(isFiltered ? 'noneFound' : 'empty.title')}>
        {t(isFiltered ? 'noneFoundText' : 'empty.text')}
      </EmptyState>
    );
  }
  const open = ({ request_id: requestId }: Turn) =>
    void navigate({ to: '/w/$workspaceId/requests/$requestId', params: { workspaceId, requestId } });
  return (
    <>
      {list.isOld && (
        <Button className="self-start" onClick={list.showNewest}>
          <ArrowUp className="size-4" aria-hidden />
          {t('showNewest')}
        </Button>
      )}
      <DataTable
        label={t('title')}
        rows={list.rows}
        rowId={({ turn_id }) => turn_id}
        columns={turnColumns({ t, format, workspaceId, keyNames: new Map(keys?.map(({ id, name }) => [id, name ?? id])) })}
        onOpen={open}
        hasMore={list.hasMore}
        isReadingMore={list.isReadingMore}
        onMore={list.readMore}
        footer={t('read', { read: format.number(list.rows.length) })}
      />
    </>
  );
}
