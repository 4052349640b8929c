import { createLazyRoute, Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { buttonVariants } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { ActionTable } from '../components/action-table.tsx';
import { CohortNote } from '../components/cohort-note.tsx';
import { CohortTable } from '../components/cohort-table.tsx';
import { ReviewQueue } from '../components/review-queue.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/actions')({ component: ActionListPage });

function ActionListPage() {
  const { t } = useTranslation('actions');
  const { workspaceId } = Route.useParams();
  const { tab = 'catalog' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const may = usePermissionCheck();
  const names = [
    'catalog' as const,
    ...(may('data.read', workspaceId) ? (['review'] as const) : []),
    ...(may('action_cohort.read') ? (['cohort'] as const) : []),
  ];
  const shown = names.find((name) => name === tab) ?? 'catalog';
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        may('actions.publish') && (
          <Link to="/w/$workspaceId/new-action" params={{ workspaceId }} className={buttonVariants({ look: 'primary' })}>
            <Plus className="size-4" aria-hidden />
            {t('newAction')}
          </Link>
        )
      }
    >
      <CohortNote workspaceId={workspaceId} />
      <Tabs
        label={t('title')}
        value={shown}
        onChange={(name) => void navigate({ search: { tab: name } })}
        tabs={names.map((name) => ({ name, label: t(`tabs.${name}`) }))}
      >
        {shown === 'catalog' && <ActionTable workspaceId={workspaceId} />}
        {shown === 'review' && <ReviewQueue workspaceId={workspaceId} />}
        {shown === 'cohort' && <CohortTable />}
      </Tabs>
    </Page>
  );
}
