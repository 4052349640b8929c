import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { ArrowLeft, MessageSquarePlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { announce } from '../../../ui/announcer.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, buttonVariants } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Page } from '../../../ui/page.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ProjectConversations } from '../components/project-conversations.tsx';
import { ProjectFiles } from '../components/project-files.tsx';
import { ProjectSettings } from '../components/project-settings.tsx';
import { connectionLabelsQuery, type ProjectDetail, projectQuery, useDeleteProject } from '../queries/projects.ts';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/projects/$projectId')({ component: ProjectPage });

function ProjectPage() {
  const { t } = useTranslation('projects');
  const { workspaceId, projectId } = Route.useParams();
  const { data, error, isPending, refetch } = useQuery(projectQuery(workspaceId, projectId));
  const back = (
    <Link to="/w/$workspaceId/projects" params={{ workspaceId }} className={buttonVariants({ look: 'ghost', size: 'small' })}>
      <ArrowLeft className="size-4 rtl:rotate-180" aria-hidden />
      {t('all')}
    </Link>
  );
  if (data) return <ProjectView workspaceId={workspaceId} project={data} back={back} />;
  return (
    <Page title={t('one')} actions={back}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton />}
    </Page>
  );
}

function ProjectView({ workspaceId, project, back }: { workspaceId: string; project: ProjectDetail; back: React.ReactNode }) {
  const { t } = useTranslation('projects');
  const may = usePermissionCheck();
  const navigate = Route.useNavigate();
  const { data: accounts } = useQuery(connectionLabelsQuery(workspaceId));
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteProject(workspaceId, project.id);
  const { id, name, slug, effective_memory_policy: policy, memory_policy_status: certainty } = project;
  const mayChange = may('data.write', workspaceId);
  const confirm = async () => {
    await navigate({ to: '/w/$workspaceId/projects', params: { workspaceId }, replace: true });
    announce(t('delete.done', { name }));
  };
  return (
    <Page
      title={name}
      actions={
        <>
          {back}
          {mayChange && (
            <>
              <Button look="danger" onClick={() => setAsking(true)}>
                {t('delete.action')}
              </Button>
              <Link
                to="/w/$workspaceId/playground"
                params={{ workspaceId }}
                search={{ project: slug }}
                className={buttonVariants({ look: 'primary' })}
              >
                <MessageSquarePlus className="size-4" aria-hidden />
                {t('chat')}
              </Link>
            </>
          )}
        </>
      }
    >
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <Card title={t('about')}>
            <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[auto_1fr] [&_dt]:text-muted">
              <dt>{t('slug')}</dt>
              <dd className="flex flex-wrap items-center gap-1">
                <code className="break-all">{slug}</code>
                <CopyButton text={slug} what={t('slug')} />
                {project.is_default && <Badge tone="accent">{t('isDefault')}</Badge>}
              </dd>
              <dt>{t('account')}</dt>
              <dd>
                <Link
                  to="/w/$workspaceId/connections/$connectionId"
                  params={{ workspaceId, connectionId: project.upstream_account_id }}
                  className="underline"
                >
                  {accounts?.get(project.upstream_account_id) ?? t('oneAccount')}
                </Link>
              </dd>
              <dt>{t('memory.title')}</dt>
              <dd>
                <p className="flex flex-wrap items-center gap-2">
                  <span className="font-medium">{t(`memory.${policy}.name`)}</span>
                  <Badge tone={certainty === 'verified' ? 'good' : certainty === 'unavailable' ? 'warn' : 'neutral'}>
                    {t(`certainty.${certainty}.name`)}
                  </Badge>
                </p>
                <p className="text-muted">{t(`memory.${policy}.text`)}</p>
                <p className="text-muted">{t(`certainty.${certainty}.text`)}</p>
              </dd>
            </dl>
          </Card>
          <ProjectSettings key={id} workspaceId={workspaceId} project={project} isReadOnly={!mayChange} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <ProjectFiles workspaceId={workspaceId} project={project} isReadOnly={!mayChange} />
          <ProjectConversations workspaceId={workspaceId} project={project} />
        </div>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('delete.title', { name })}
        action={t('delete.action')}
        onConfirm={() => remove.mutateAsync().then(confirm)}
      >
        {t('delete.text', { count: project.conversation_count })}
      </ConfirmDialog>
    </Page>
  );
}
