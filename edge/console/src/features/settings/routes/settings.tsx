import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/settings')({ component: SettingsPage });

function SettingsPage() {
  const { t } = useTranslation('settings');
  return <Page title={t('title')}>{null}</Page>;
}
