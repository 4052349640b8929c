import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/setup')({ component: SetupPage });

function SetupPage() {
  const { t } = useTranslation('entry');
  return <Page title={t('title')}>{null}</Page>;
}
