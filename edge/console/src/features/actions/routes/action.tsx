import { useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { ActionOverview } from '../components/action-overview.tsx';
import { CohortNote } from '../components/cohort-note.tsx';
import { RunTab } from '../components/run-tab.tsx';
import { RunTable } from '../components/run-table.tsx';
import { VersionList } from '../components/version-list.tsx';
import { PublishedEditor } from '../editor/published-editor.tsx';
import { actionQuery } from '../queries/catalog.ts';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/actions/$slug')({ component: ActionPage });

function ActionPage() {
  const { t } = useTranslation('actions');
  const { workspaceId, slug } = Route.useParams();
  const { tab = 'overview', status, version } = Route.useSearch();
  const navigate = Route.useNavigate();
  const may = usePermissionCheck();
  const isMember = may('data.read', workspaceId);
  const { data: action } = useSuspenseQuery(actionQuery(workspaceId, slug, isMember));
  if (!action) {
    return (
      <Page title={slug}>
        <EmptyState icon={Boxes} title={t('notFound.title')} action={<Back workspaceId={workspaceId} />}>
          {t('notFound.text')}
        </EmptyState>
      </Page>
    );
  }
  const names = [
    'overview' as const,
    ...(isMember ? (['run', 'runs'] as const) : []),
    ...(may('actions.read') ? (['document', 'versions'] as const) : []),
  ];
  const shown = names.find((name) => name === tab) ?? 'overview';
  return (
    <Page title={action.title} lead={action.description} actions={<Back workspaceId={workspaceId} />}>
      <CohortNote workspaceId={workspaceId} />
      <Tabs
        label={action.title}
        value={shown}
        onChange={(name) => void navigate({ search: { tab: name } })}
        tabs={names.map((name) => ({ name, label: t(`tabs.${name}`) }))}
      >
        {shown === 'overview' && <ActionOverview action={action} hasSchema={may('actions.read')} />}
        {shown === 'run' && <RunTab workspaceId={workspaceId} action={action} />}
        {shown === 'runs' && (
          <RunTable
            workspaceId={workspaceId}
            slug={slug}
            status={status}
            onStatus={(next) => void navigate({ search: { tab: 'runs', ...(next && { status: next }) } })}
          />
        )}
        {shown === 'document' && (
          <PublishedEditor key={`${slug} ${version}`} workspaceId={workspaceId} slug={slug} version={version ?? action.version} />
        )}
        {shown === 'versions' && <VersionList workspaceId={workspaceId} action={action} />}
      </Tabs>
    </Page>
  );
}

function Back({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('actions');
  return (
    <Link to="/w/$workspaceId/actions" params={{ workspaceId }} className="text-sm text-accent underline">
      {t('back')}
    </Link>
  );
}
