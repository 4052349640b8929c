import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ColumnDef } from '@tanstack/react-table';
import { Building2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { announce } from '../../../ui/announcer.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { usePageList } from '../../../ui/use-page-list.ts';
import { ACTIONS_QUERY_KEY } from '../queries/catalog.ts';
import { cohortQuery, readWorkspaces, setCohortMember, type Workspace, COHORT_WORKSPACES_QUERY_KEY } from '../queries/cohort.ts';

/** Which workspaces take part in the beta of actions, and the way in and out. */
export function CohortTable() {
  const { t } = useTranslation('actions');
  const mayWrite = usePermissionCheck()('action_cohort.write');
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<Workspace>();
  const cohort = useQuery(cohortQuery);
  const list = usePageList<Workspace>(COHORT_WORKSPACES_QUERY_KEY, readWorkspaces);
  const change = useMutation({
    mutationFn: ({ id, isMember }: { id: string; name: string; isMember: boolean }) => setCohortMember(id, isMember),
    onSuccess: async (_, { name, isMember }) => {
      await queries.invalidateQueries({ queryKey: ACTIONS_QUERY_KEY });
      announce(t(isMember ? 'cohort.added' : 'cohort.removed', { name }));
    },
  });
  const error = cohort.error ?? list.error;
  if (error) {
    const retry = () => {
      void cohort.refetch();
      list.refetch();
    };
    return <ProblemNote error={error} onRetry={retry} />;
  }
  if (!cohort.data || list.isPending) return <Skeleton />;
  const members = new Set(cohort.data);
  const columns: ColumnDef<Workspace>[] = [
    {
      id: 'name',
      header: t('columns.workspace'),
      size: 220,
      meta: { isWide: true },
      cell: ({ row: { original } }) => <span className="font-medium">{original.name}</span>,
    },
    {
      id: 'member',
      header: t('columns.takesPart'),
      size: 150,
      cell: ({ row: { original } }) =>
        members.has(original.id) ? <Badge tone="good">{t('cohort.in')}</Badge> : <Badge>{t('cohort.out')}</Badge>,
    },
    ...(mayWrite
      ? [
          {
            id: 'change',
            header: t('columns.change'),
            size: 150,
            cell: ({ row: { original: workspace } }: { row: { original: Workspace } }) => {
              const { id, name } = workspace;
              const isMember = members.has(id);
              return (
                <Button
                  size="small"
                  aria-label={t(isMember ? 'cohort.removeNamed' : 'cohort.addNamed', { name })}
                  isBusy={change.isPending && change.variables.id === id}
                  onClick={() => (isMember ? setLeaving(workspace) : change.mutate({ id, name, isMember: true }))}
                >
                  {t(isMember ? 'cohort.remove' : 'cohort.add')}
                </Button>
              );
            },
          },
        ]
      : []),
  ];
  if (list.rows.length === 0) {
    return (
      <EmptyState icon={Building2} title={t('cohort.emptyTitle')}>
        {t('cohort.emptyText')}
      </EmptyState>
    );
  }
  return (
    <>
      <p className="max-w-prose text-sm text-muted">{t('cohort.lead', { count: members.size })}</p>
      {change.error && <ProblemNote error={change.error} />}
      <DataTable
        label={t('tabs.cohort')}
        rows={list.rows}
        rowId={({ id }) => id}
        columns={columns}
        hasMore={list.hasMore}
        isReadingMore={list.isReadingMore}
        onMore={list.readMore}
      />
      <ConfirmDialog
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('cohort.removeTitle', { name: leaving?.name })}
        action={t('cohort.remove')}
        onConfirm={async () => leaving && change.mutateAsync({ id: leaving.id, name: leaving.name, isMember: false })}
      >
        {t('cohort.removeText')}
      </ConfirmDialog>
    </>
  );
}
