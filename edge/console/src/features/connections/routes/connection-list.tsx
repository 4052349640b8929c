import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/connections')({ component: ConnectionListPage });

function ConnectionListPage() {
  const { t } = useTranslation('connections');
  return <Page title={t('title')}>{null}</Page>;
}
