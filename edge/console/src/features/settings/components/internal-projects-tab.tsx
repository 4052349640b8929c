import { type ColumnDef } from '@tanstack/react-table';
import { FolderKey, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { usePageList } from '../../../ui/use-page-list.ts';
import { type InternalProject, internalProjectsKey, readInternalProjects, useInternalProjectCommands } from '../queries/routing.ts';
import { InternalProjectDialog } from './internal-project-dialog.tsx';
import { RowCommands } from './row-commands.tsx';

/** Projects that exist in Parley only: keys are bound to them, and they say whether turns need an upstream project. */
export function InternalProjectsTab({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('settings');
  const format = useFormatter();
  const canWrite = usePermissionCheck()('internal_projects.write', workspaceId);
  const projects = usePageList(internalProjectsKey(workspaceId), (offset) => readInternalProjects(workspaceId, offset));
  const { remove } = useInternalProjectCommands(workspaceId);
  const [edited, setEdited] = useState<InternalProject | 'new'>();
  const [doomed, setDoomed] = useState<InternalProject>();
  const columns: ColumnDef<InternalProject>[] = [
    {
      id: 'name',
      header: t('internal.name'),
      size: 180,
      meta: { isWide: true },
      cell: ({ row }) => <span className="font-medium">{row.original.name}</span>,
    },
    { id: 'slug', header: t('internal.slug'), size: 200, cell: ({ row }) => <code>{row.original.slug}</code> },
    {
      id: 'policy',
      header: t('internal.policy'),
      size: 260,
      cell: ({ row: { original } }) => (
        <Badge tone={original.policy === 'require_project' ? 'accent' : 'neutral'}>{t(`internal.policies.${original.policy}`)}</Badge>
      ),
    },
    { id: 'created', header: t('internal.created'), size: 130, cell: ({ row }) => format.date(row.original.created_at) },
  ];
  if (canWrite) {
    columns.push({
      id: 'commands',
      header: t('internal.commands'),
      size: 130,
      cell: ({ row: { original } }) => (
        <RowCommands name={original.name} onEdit={() => setEdited(original)} onDelete={() => setDoomed(original)} />
      ),
    });
  }
  const add = canWrite && (
    <Button look="primary" onClick={() => setEdited('new')}>
      <Plus className="size-4" aria-hidden />
      {t('internal.create')}
    </Button>
  );
  if (projects.error) return <ProblemNote error={projects.error} onRetry={projects.refetch} />;
  if (projects.isPending) return <Skeleton />;
  return (
    <>
      {projects.rows.length === 0 ? (
        <EmptyState icon={FolderKey} title={t('internal.none')} action={add}>
          {t('internal.explained')}
        </EmptyState>
      ) : (
        <>
          <div className="flex flex-wrap items-start justify-between gap-3">
            <p className="max-w-prose text-sm text-muted">{t('internal.explained')}</p>
            {add}
          </div>
          <DataTable
            label={t('tabs.internal-projects')}
            rows={projects.rows}
            rowId={({ slug }) => slug}
            columns={columns}
            hasMore={projects.hasMore}
            isReadingMore={projects.isReadingMore}
            onMore={projects.readMore}
            footer={projects.total === undefined ? undefined : t('internal.count', { count: projects.total })}
          />
        </>
      )}
      {edited && (
        <InternalProjectDialog
          workspaceId={workspaceId}
          project={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      <ConfirmDialog
        isOpen={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        title={t('internal.deleteTitle', { name: doomed?.name ?? '' })}
        action={t('internal.delete')}
        onConfirm={() => remove.mutateAsync(doomed?.slug ?? '')}
      >
        {t('internal.deleteText')}
      </ConfirmDialog>
    </>
  );
}
