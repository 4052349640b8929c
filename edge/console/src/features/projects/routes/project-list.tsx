import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { FolderOpen, FolderPlus, Link2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { usePageList } from '../../../ui/use-page-list.ts';
import { CreateDialog } from '../components/create-dialog.tsx';
import { ProjectTable } from '../components/project-table.tsx';
import { RegisterDialog } from '../components/register-dialog.tsx';
import { projectCapabilitiesQuery, projectListKey, readProjects } from '../queries/projects.ts';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/projects')({ component: ProjectListPage });

function ProjectListPage() {
  const { t } = useTranslation('projects');
  const { workspaceId } = Route.useParams();
  const { q: search = '' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const may = usePermissionCheck();
  const [open, setOpen] = useState<'create' | 'register'>();
  const isWhole = may('upstream_projects.write', workspaceId);
  const list = usePageList(projectListKey(workspaceId, search, isWhole), (offset) => readProjects(workspaceId, search, isWhole, offset));
  const ability = useQuery({ ...projectCapabilitiesQuery(workspaceId), enabled: may('data.read', workspaceId) });
  const mayCreate = may('data.write', workspaceId);
  const isPossible = ability.data?.projects.enabled !== false;
  const create = mayCreate && isPossible && (
    <Button look="primary" onClick={() => setOpen('create')}>
      <FolderPlus className="size-4" aria-hidden />
      {t('create.action')}
    </Button>
  );
  const isEmpty = list.rows.length === 0 && !list.isPending && !list.error;
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          {isWhole && <Button onClick={() => setOpen('register')}>{t('register.action')}</Button>}
          {!(isEmpty && search === '') && create}
        </>
      }
    >
      {!isPossible && (
        <p className="flex items-center gap-2 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
          <Link2 className="size-4 shrink-0" aria-hidden />
          {t('noAccount')}
        </p>
      )}
      {(search !== '' || !isEmpty) && (
        <SearchBox
          label={t('find')}
          value={search}
          onSearch={(text) => void navigate({ search: text ? { q: text } : {}, replace: true })}
          className="max-w-sm"
        />
      )}
      {list.error && <ProblemNote error={list.error} onRetry={list.refetch} />}
      {list.isPending && <Skeleton />}
      {isEmpty && (
        <EmptyState icon={FolderOpen} title={t(search === '' ? 'empty.title' : 'none')} action={search === '' ? create : undefined}>
          {t('empty.text')}
        </EmptyState>
      )}
      {list.rows.length > 0 && <ProjectTable workspaceId={workspaceId} list={list} />}
      <CreateDialog
        workspaceId={workspaceId}
        isOpen={open === 'create'}
        onClose={() => setOpen(undefined)}
        onCreated={(projectId) => void navigate({ to: '/w/$workspaceId/projects/$projectId', params: { workspaceId, projectId } })}
      />
      {isWhole && <RegisterDialog workspaceId={workspaceId} isOpen={open === 'register'} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}
