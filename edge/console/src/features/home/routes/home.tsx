import { createLazyRoute, Link } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { buttonVariants } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { ClientSetupCard } from '../components/client-setup-card.tsx';
import { FirstSteps } from '../components/first-steps.tsx';
import { Health } from '../components/health.tsx';
import { OwnDayUsage } from '../components/own-day-usage.tsx';
import { WorkspaceDayUsage } from '../components/workspace-day-usage.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/')({ component: HomePage });

function HomePage() {
  const { t } = useTranslation('home');
  const { workspaceId } = Route.useParams();
  const may = usePermissionCheck();
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        may('data.write', workspaceId) && (
          <Link to="/w/$workspaceId/playground" params={{ workspaceId }} className={buttonVariants({ look: 'primary' })}>
            <Sparkles className="size-4" aria-hidden />
            {t('chat')}
          </Link>
        )
      }
    >
      {may('usage.read', workspaceId) ? (
        <WorkspaceDayUsage workspaceId={workspaceId} />
      ) : (
        may('data.read', workspaceId) && <OwnDayUsage workspaceId={workspaceId} />
      )}
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <Health workspaceId={workspaceId} />
        <FirstSteps workspaceId={workspaceId} />
      </div>
      <ClientSetupCard workspaceId={workspaceId} />
    </Page>
  );
}
