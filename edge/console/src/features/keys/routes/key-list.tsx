import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/keys')({ component: KeyListPage });

function KeyListPage() {
  const { t } = useTranslation('keys');
  return <Page title={t('title')}>{null}</Page>;
}
