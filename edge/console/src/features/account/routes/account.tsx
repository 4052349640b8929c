import { useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '../../../session/queries.ts';
import { Page } from '../../../ui/page.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { PreferencesTab } from '../components/preferences-tab.tsx';
import { ProfileTab } from '../components/profile-tab.tsx';
import { RecoveryCodesDialog } from '../components/recovery-codes-dialog.tsx';
import { SecurityTab } from '../components/security-tab.tsx';
import { SessionsTab } from '../components/sessions-tab.tsx';
import { showRecoveryCodes, useShownRecoveryCodes } from '../queries/shown-recovery-codes.ts';

export const Route = createLazyRoute('/signed-in/account')({ component: AccountPage });

const TABS = { profile: ProfileTab, security: SecurityTab, sessions: SessionsTab, console: PreferencesTab } as const;
type Tab = keyof typeof TABS;
const NAMES = Object.keys(TABS) as Tab[];

function AccountPage() {
  const codes = useShownRecoveryCodes();
  return (
    <>
      <Account />
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => showRecoveryCodes(undefined)} />}
    </>
  );
}

function Account() {
  const { t } = useTranslation('account');
  const { tab } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { data: session } = useSuspenseQuery(sessionQuery);
  if (session.second_factor_required) {
    return (
      <Page title={t('title')} lead={t('owed.lead')}>
        <SecurityTab />
      </Page>
    );
  }
  const Shown = TABS[tab];
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Tabs
        label={t('title')}
        value={tab}
        onChange={(name) => void navigate({ search: { tab: name } })}
        tabs={NAMES.map((name) => ({ name, label: t(`tabs.${name}`) }))}
      >
        <Suspense fallback={<Skeleton />}>
          <Shown />
        </Suspense>
      </Tabs>
    </Page>
  );
}
