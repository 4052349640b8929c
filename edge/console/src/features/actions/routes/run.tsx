import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/actions/$slug/runs/$runId')({ component: RunPage });

function RunPage() {
  const { t } = useTranslation('actions');
  return <Page title={t('title')}>{null}</Page>;
}
