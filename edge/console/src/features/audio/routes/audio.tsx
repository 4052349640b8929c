import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Page } from '../../../ui/page.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { JobsTab } from '../components/jobs-tab.tsx';
import { SpeakTab } from '../components/speak-tab.tsx';
import { TranscribeTab } from '../components/transcribe-tab.tsx';
import { VoicesTab } from '../components/voices-tab.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/audio')({ component: AudioPage });

const TABS = ['voices', 'speak', 'jobs', 'transcribe'] as const;
/** What makes or sends audio needs the right to. */
const WRITING: readonly string[] = ['speak', 'transcribe'];

function AudioPage() {
  const { t } = useTranslation('audio');
  const { workspaceId } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const canWrite = usePermissionCheck()('data.write', workspaceId);
  const tabs = TABS.filter((name) => canWrite || !WRITING.includes(name)).map((name) => ({ name, label: t(`tabs.${name}`) }));
  const tab = tabs.some(({ name }) => name === search.tab) ? search.tab : 'voices';
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Tabs label={t('title')} value={tab} onChange={(name) => void navigate({ search: { tab: name } })} tabs={tabs}>
        {tab === 'voices' && (
          <VoicesTab
            workspaceId={workspaceId}
            provider={search.provider}
            canSpeak={canWrite}
            onProvider={(provider) => void navigate({ search: { tab, provider }, replace: true })}
          />
        )}
        {tab === 'speak' && (
          <SpeakTab key={workspaceId} workspaceId={workspaceId} startProvider={search.provider} startVoice={search.voice} />
        )}
        {tab === 'jobs' && (
          <JobsTab
            workspaceId={workspaceId}
            status={search.status}
            canWrite={canWrite}
            onStatus={(status) => void navigate({ search: { tab, status }, replace: true })}
          />
        )}
        {tab === 'transcribe' && <TranscribeTab key={workspaceId} workspaceId={workspaceId} />}
      </Tabs>
    </Page>
  );
}
