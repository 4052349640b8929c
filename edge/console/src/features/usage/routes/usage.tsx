import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/usage')({ component: UsagePage });

function UsagePage() {
  const { t } = useTranslation('usage');
  return <Page title={t('title')}>{null}</Page>;
}
