import { createLazyRoute } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Page } from '../../../ui/page.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { AuditTab } from '../components/audit-tab.tsx';
import { InvitationsTab } from '../components/invitations-tab.tsx';
import { InviteDialog } from '../components/invite-dialog.tsx';
import { MembersTab } from '../components/members-tab.tsx';
import { ProvidersTab } from '../components/providers-tab.tsx';
import { ServiceAccountsTab } from '../components/service-accounts-tab.tsx';
import { UsersTab } from '../components/users-tab.tsx';
import { type PeopleScope } from '../queries/people.ts';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/people')({ component: PeoplePage });

const TABS = [
  { name: 'members', permission: 'members.read' },
  { name: 'invitations', permission: 'invitations.read' },
  { name: 'service-accounts', permission: 'service_accounts.read' },
  { name: 'users', permission: 'users.read' },
  { name: 'providers', permission: 'oidc_providers.read' },
  { name: 'audit', permission: 'audit.read' },
] as const;

function PeoplePage() {
  const { t } = useTranslation('people');
  const { workspaceId } = Route.useParams();
  const { tab: asked } = Route.useSearch();
  const navigate = Route.useNavigate();
  const may = usePermissionCheck();
  const [isInviting, setInviting] = useState(false);
  const tabs = TABS.filter(({ permission }) => may(permission, workspaceId));
  const tab = tabs.find(({ name }) => name === asked)?.name ?? 'members';
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Tabs
        label={t('title')}
        value={tab}
        onChange={(name) => void navigate({ search: ({ scope }) => ({ tab: name, scope }) })}
        tabs={tabs.map(({ name }) => ({ name, label: t(`tabs.${name}`) }))}
      >
        <Suspense fallback={<Skeleton />}>
          <Shown key={workspaceId} tab={tab} onInvite={() => setInviting(true)} />
        </Suspense>
      </Tabs>
      {isInviting && <InviteDialog workspaceId={workspaceId} onClose={() => setInviting(false)} />}
    </Page>
  );
}

function Shown({ tab, onInvite }: { tab: (typeof TABS)[number]['name']; onInvite: () => void }) {
  const { workspaceId } = Route.useParams();
  const { scope: asked, tab: _tab, ...fields } = Route.useSearch();
  const navigate = Route.useNavigate();
  const may = usePermissionCheck();
  const onScope = (scope: PeopleScope) => void navigate({ search: (before) => ({ ...before, scope }) });
  // Who has a role for the gateway may see all of it; a link of theirs shows others what is theirs.
  const scopeWith = (permission: string): PeopleScope => (may(permission) ? asked : 'workspace');
  switch (tab) {
    case 'members':
      return <MembersTab workspaceId={workspaceId} onInvite={onInvite} />;
    case 'invitations':
      return <InvitationsTab workspaceId={workspaceId} scope={scopeWith('invitations.read')} onScope={onScope} onInvite={onInvite} />;
    case 'service-accounts':
      return <ServiceAccountsTab workspaceId={workspaceId} scope={scopeWith('service_accounts.read')} onScope={onScope} />;
    case 'users':
      return <UsersTab workspaceId={workspaceId} />;
    case 'providers':
      return <ProvidersTab />;
    case 'audit':
      return (
        <AuditTab
          workspaceId={workspaceId}
          scope={scopeWith('audit.read')}
          onScope={onScope}
          fields={fields}
          onFilter={(filter) => void navigate({ search: (before) => ({ ...before, ...filter }) })}
        />
      );
  }
}
