import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Page } from '../../../ui/page.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { AboutTab } from '../components/about-tab.tsx';
import { InternalProjectsTab } from '../components/internal-projects-tab.tsx';
import { LimitsTab } from '../components/limits-tab.tsx';
import { RouteProfilesTab } from '../components/route-profiles-tab.tsx';
import { WorkspacesTab } from '../components/workspaces-tab.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/settings')({ component: SettingsPage });

const TABS = [
  { name: 'workspaces' },
  { name: 'internal-projects', permission: 'internal_projects.read' },
  { name: 'route-profiles', permission: 'route_profiles.read' },
  { name: 'limits' },
  { name: 'about' },
] as const;

function SettingsPage() {
  const { t } = useTranslation('settings');
  const { workspaceId } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const may = usePermissionCheck();
  const tabs = TABS.filter((tab) => !('permission' in tab) || may(tab.permission, workspaceId)).map(({ name }) => ({
    name,
    label: t(`tabs.${name}`),
  }));
  const tab = tabs.find(({ name }) => name === search.tab)?.name ?? 'workspaces';
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Tabs label={t('title')} value={tab} onChange={(name) => void navigate({ search: { tab: name } })} tabs={tabs}>
        {tab === 'workspaces' && <WorkspacesTab />}
        {tab === 'internal-projects' && <InternalProjectsTab workspaceId={workspaceId} />}
        {tab === 'route-profiles' && <RouteProfilesTab workspaceId={workspaceId} />}
        {tab === 'limits' && <LimitsTab workspaceId={workspaceId} />}
        {tab === 'about' && <AboutTab workspaceId={workspaceId} />}
      </Tabs>
    </Page>
  );
}
