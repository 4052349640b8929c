import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/errors')({ component: ErrorsPage });

function ErrorsPage() {
  const { t } = useTranslation('errors');
  return <Page title={t('title')}>{null}</Page>;
}
