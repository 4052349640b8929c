import { createLazyRoute, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';
import { RunView } from '../components/run-view.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/actions/$slug/runs/$runId')({ component: RunPage });

function RunPage() {
  const { t } = useTranslation('actions');
  const place = Route.useParams();
  const { workspaceId, slug } = place;
  return (
    <Page
      title={t('run.title', { slug })}
      lead={
        <Link to="/w/$workspaceId/actions/$slug" params={{ workspaceId, slug }} search={{ tab: 'runs' }} className="text-accent underline">
          {t('run.back')}
        </Link>
      }
    >
      <RunView place={place} />
    </Page>
  );
}
