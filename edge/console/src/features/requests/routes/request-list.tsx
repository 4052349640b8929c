import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/requests')({ component: RequestListPage });

function RequestListPage() {
  const { t } = useTranslation('requests');
  return <Page title={t('title')}>{null}</Page>;
}
